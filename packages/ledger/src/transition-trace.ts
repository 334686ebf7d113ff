/** Records rules, reads, writes and deadlines of one transition. Changes nothing. */
import type { ChainEvent } from '@netd/protocol';
import { stateKey, type CollectionName, type Collections, type IdOf } from './collections.ts';
import type { NonceWriter } from './replay-protection.ts';
import { listenToRules, type CheckedRule, type RuleError } from './rule-error.ts';
import { queueEntry, type StateOverlay, type WritableState } from './state.ts';
import { TIMER_KINDS, type TimerKind, type TimerRecord } from './timer-queue.ts';
import type { Deadline } from './deadline.ts';

/** A written record. `before` and `after` are undefined if the record does not exist. */
export interface TracedWrite {
  key: string;
  before: unknown;
  after: unknown;
}

export interface TracedTimer {
  kind: TimerKind;
  subject: string;
  /** Null if the record no longer waits. A time or height of 0 has no effect. */
  deadline: Deadline | null;
}

type TracedOutcome = { ok: true; events: ChainEvent[] } | { ok: false; refusal: RuleError };

export class TransitionTrace {
  readonly rules: CheckedRule[] = [];
  private readonly read = new Map<string, unknown>();
  private readonly written = new Map<string, TracedWrite>();
  spentNonce: { nonceHash: string; expiresAtHeight: number } | null = null;
  events: readonly ChainEvent[] = [];
  refusal: RuleError | null = null;

  get reads(): { key: string; value: unknown }[] {
    return [...this.read].map(([key, value]) => ({ key, value }));
  }

  get writes(): TracedWrite[] {
    return [...this.written.values()];
  }

  get timers(): TracedTimer[] {
    return this.writes.flatMap(timersIn);
  }

  record<Result extends TracedOutcome>(run: () => Result): Result {
    const outcome = listenToRules((rule) => this.note(rule), run);
    if (outcome.ok) this.events = outcome.events;
    else {
      this.refusal = outcome.refusal;
      this.written.clear();
      this.spentNonce = null;
    }
    return outcome;
  }

  /** Ends the trace of a system transition, which checks no rules. */
  end(events: readonly ChainEvent[], index: number): void {
    this.events = events.filter(({ transitionIndex }) => transitionIndex === index);
  }

  over(state: StateOverlay): WritableState & NonceWriter {
    const note = (key: string): void => {
      if (!this.written.has(key) && !this.read.has(key)) this.read.set(key, state.get(key));
    };
    const noteWrite = (key: string, after: unknown): void => {
      const earlier = this.written.get(key);
      if (earlier) earlier.after = after;
      else this.written.set(key, { key, before: state.get(key), after });
    };
    return {
      get<Name extends CollectionName>(collection: Name, id: IdOf<Name>) {
        note(stateKey(collection, id));
        return state.get(collection, id);
      },
      put<Name extends CollectionName>(
        collection: Name,
        id: IdOf<Name>,
        record: Collections[Name],
      ) {
        noteWrite(stateKey(collection, id), record);
        state.put(collection, id, record);
      },
      delete<Name extends CollectionName>(collection: Name, id: IdOf<Name>) {
        noteWrite(stateKey(collection, id), undefined);
        state.delete(collection, id);
      },
      spentNonceExpiry: (nonceHash) => state.spentNonceExpiry(nonceHash),
      spendNonce: (nonceHash, expiresAtHeight) => {
        this.spentNonce = { nonceHash, expiresAtHeight };
        state.spendNonce(nonceHash, expiresAtHeight);
      },
    };
  }

  private note(rule: CheckedRule): void {
    const last = this.rules.at(-1);
    if (last?.code === rule.code && last.holds && last.path === rule.path) last.holds = rule.holds;
    else this.rules.push(rule);
  }
}

function timersIn({ key, before, after }: TracedWrite): TracedTimer[] {
  if (key.startsWith('timer/')) {
    const { kind, subject } = (after ?? before) as TimerRecord;
    const deadline = after === undefined ? null : (after as TimerRecord).deadline;
    return [{ kind, subject, deadline }];
  }
  const [was, is] = [queueEntry(key, before), queueEntry(key, after)];
  if (was?.queue === is?.queue && was?.at === is?.at) return [];
  const subject = key.slice(key.indexOf('/') + 1);
  return [was, is].flatMap((entry, isAfter) => {
    const kind = TIMER_KINDS.find((known) => entry?.queue.startsWith(`${known}:`));
    if (!entry || !kind || (!isAfter && is?.queue === entry.queue)) return [];
    const deadline = isAfter ? { height: entry.at, time: 0 } : null;
    return [{ kind, subject, deadline }];
  });
}
