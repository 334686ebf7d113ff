/**
 * Executes one block over a state: due system transitions, then envelopes, then the closing work. Rules for
 * envelopes are in transitions/.
 */
import {
  canonicalize,
  encodeEnvelope,
  eventHash,
  KIND_SCHEMAS,
  merkleSubtrees,
  RECENT_ROOTS,
  rootOfSubtrees,
  sha256Hex,
  type ChainEvent,
  type JsonObject,
  type SubmittedKind,
} from '@netd/protocol';
import { checkConservation } from './accounting.ts';
import { grantsIn } from './actions/registry.ts';
import { policyInForce } from './actions/rules/schedule.ts';
import { requireActive } from './authority.ts';
import { beginBlock } from './begin-block.ts';
import type { ChainRecord, PolicyRecord } from './chain-records.ts';
import { endBlock } from './end-block.ts';
import { isObservable, type Observation } from './observations.ts';
import { nonceLeaf } from './replay-protection.ts';
import { RuleError } from './rule-error.ts';
import { requireKnownRules, type Rules } from './rules.ts';
import { StateOverlay, type StateReader } from './state.ts';
import type { TransitionTrace } from './transition-trace.ts';
import { SYSTEM_TRANSITIONS, type SystemKind } from './system/registry.ts';
import { checkTokenConservation } from './token-accounting.ts';
import type {
  BlockContext,
  CheckContext,
  Emit,
  SubmittedEnvelope,
  WriteContext,
} from './transition.ts';
import { requireAuthority } from './transitions/intent.ts';
import { TRANSITIONS } from './transitions/registry.ts';
import { applyAction, checkAction } from './transitions/run-action.ts';

export interface Submission extends SubmittedEnvelope {
  kind: SubmittedKind;
}

export type Outcome =
  | {
      ok: true;
      index: number;
      firstEvent: number;
      events: ChainEvent[];
    }
  | { ok: false; refusal: RuleError };

export interface BlockTransition {
  hash: string;
  /** Canonical JSON. Its SHA-256 is the transition hash. */
  text: string;
}

export interface ExecutedBlock {
  /** Values by key as canonical JSON, null for a deletion. Empty for a block without transitions. */
  changes: Map<string, string | null>;
  state: StateOverlay;
  transitions: BlockTransition[];
  events: ChainEvent[];
  transitionsRoot: string;
  eventsRoot: string;
  /** Hashes for cheap proofs of a single leaf (see `merkleSubtrees`). */
  transitionSubtrees: string[];
  eventSubtrees: string[];
}

export type TraceOf = (hash: string, index: number) => TransitionTrace | null;

export class BlockExecution {
  private readonly block: BlockContext;
  private readonly state: StateOverlay;
  private readonly due: 'execute' | 'skip';
  private readonly traceOf: TraceOf | null;
  private readonly chain: ChainRecord;
  private readonly policy: PolicyRecord;
  private readonly rules: Rules;
  private readonly transitions: BlockTransition[] = [];
  private readonly events: ChainEvent[] = [];
  private systemCount = 0;
  private readonly emit: Emit = (type, data) => {
    this.events.push({ type, transitionIndex: this.transitions.length, data });
  };

  /**
   * @param options.due `skip` to simulate one envelope at a cost independent of what is due. The execution
   *   then gives no block
   * @throws UnknownRulesError if this code lacks the rules of the block
   */
  constructor(
    base: StateReader,
    block: BlockContext,
    previous: { stateRoot: string },
    { due = 'execute', traceOf }: { due?: 'execute' | 'skip'; traceOf?: TraceOf } = {},
  ) {
    this.block = block;
    this.due = due;
    this.traceOf = traceOf ?? null;
    this.state = new StateOverlay(base);
    const chain = this.state.get('chain', 'identity');
    const policy = this.state.get('policy', 'limits');
    if (!chain || !policy) throw new Error('the state has no genesis');
    this.chain = chain;
    this.rules = requireKnownRules(this.state, block.height);
    this.policy = policyInForce(this.state, block.height, policy);
    // Write this first, so that heartbeats in this block may name the predecessor.
    this.state.put('recent-root', String((block.height - 1) % RECENT_ROOTS), {
      blockHash: block.previousBlockHash,
      height: block.height - 1,
      stateRoot: previous.stateRoot,
    });
    // Begin in the constructor, so that no builder or replay can forget it.
    if (due === 'skip') return;
    beginBlock(this.state, block, (kind, subject) => this.executeSystem(kind, subject));
    this.systemCount = this.transitions.length;
  }

  get systemTransitions(): readonly BlockTransition[] {
    return this.transitions.slice(0, this.systemCount);
  }

  /**
   * Executes an observation of the engine as a system transition. Returns false if this state does not allow
   * it. Call it before the first envelope.
   * @throws Error after the first envelope
   */
  observe(observation: Observation): boolean {
    if (this.transitions.length !== this.systemCount) {
      throw new Error('what the engine has seen stands before the envelopes');
    }
    if (!isObservable(observation, this.state, this.block, this.policy)) return false;
    this.executeSystem(observation.kind, observation.subject);
    this.systemCount = this.transitions.length;
    return true;
  }

  get transitionCount(): number {
    return this.transitions.length;
  }

  execute(submission: Submission): Outcome {
    const { kind, envelope } = submission;
    const { transitionHash: hash, text } = submission.encoded;
    const transition = TRANSITIONS[kind];
    return this.attempt(
      { hash, text },
      (context) => transition.check(context, submission),
      (context, plan) => transition.apply(context, envelope, plan),
    );
  }

  /**
   * Simulates an unsigned action; drop the execution afterwards. The nonce matters only if the payload
   * contains a signature over it.
   */
  tryAction(actorId: string, action: string, payload: JsonObject, nonce = ''): Outcome {
    return this.attempt(
      { hash: '', text: '' },
      (context) => {
        const authority = requireAuthority(context.state, actorId);
        requireActive(authority);
        return checkAction(context, authority, { nonce, action, payload });
      },
      applyAction,
    );
  }

  finish(): ExecutedBlock {
    if (this.due === 'skip') throw new Error('what is due was skipped: this gives no block');
    const { transitions, events, block } = this;
    const transitionSubtrees = merkleSubtrees(transitions.map(({ hash }) => hash));
    const transitionsRoot = rootOfSubtrees(transitionSubtrees);
    const eventSubtrees = merkleSubtrees(events.map(eventHash));
    const eventsRoot = rootOfSubtrees(eventSubtrees);
    let { state } = this;
    let changes = new Map<string, string | null>();
    if (transitions.length > 0) {
      const leaf = nonceLeaf(state.spentNonces());
      if (leaf) state.put('nonce', String(block.height), leaf);
      endBlock(state, block, transitions.length);
      checkConservation(state);
      checkTokenConservation(state);
      state.put('commitment', 'latest', { eventsRoot, transitionsRoot });
      changes = state.changes();
    } else {
      // The root of an idle chain must not move, so drop the overlay with the new recent root.
      state = new StateOverlay(state.baseReader());
    }
    const subtrees = { transitionSubtrees, eventSubtrees };
    return { changes, state, transitions, events, transitionsRoot, eventsRoot, ...subtrees };
  }

  pendingChanges(): Map<string, string | null> {
    return this.state.changes();
  }

  private executeSystem(kind: SystemKind, subject: string): void {
    const { height } = this.block;
    const text = canonicalize({ schema: KIND_SCHEMAS.system, kind, height, subject });
    const transition = { hash: sha256Hex(text), text };
    const trace = this.traced(transition);
    const context = this.contextOf(transition, trace);
    this.commit(transition, () => SYSTEM_TRANSITIONS[kind].apply(context, subject));
    trace?.end(this.events, this.transitions.length - 1);
  }

  private traced({ hash }: BlockTransition): TransitionTrace | null {
    return this.traceOf?.(hash, this.transitions.length) ?? null;
  }

  private attempt<Plan>(
    transition: BlockTransition,
    check: (context: CheckContext) => Plan,
    apply: (context: WriteContext, plan: Plan) => void,
  ): Outcome {
    const trace = this.traced(transition);
    const run = (): Outcome => {
      try {
        const context = this.contextOf(transition, trace);
        const plan = check(context);
        return this.commit(transition, () => apply(context, plan));
      } catch (error) {
        if (error instanceof RuleError) return { ok: false, refusal: error };
        throw error;
      }
    };
    return trace === null ? run() : trace.record(run);
  }

  private contextOf({ hash }: BlockTransition, trace: TransitionTrace | null): WriteContext {
    return {
      state: trace === null ? this.state : trace.over(this.state),
      block: this.block,
      chain: this.chain,
      policy: this.policy,
      rules: this.rules,
      grants: grantsIn(this.rules),
      transitionHash: hash,
      index: this.transitions.length,
      emit: this.emit,
    };
  }

  private commit(transition: BlockTransition, write: () => void): Outcome {
    const index = this.transitions.length;
    const firstEvent = this.events.length;
    try {
      this.state.atomically(write);
    } catch (error) {
      this.events.length = firstEvent;
      throw error;
    }
    this.transitions.push(transition);
    return { ok: true, index, firstEvent, events: this.events.slice(firstEvent) };
  }
}

/** Encodes an envelope. Execution verifies its signature unless `verifiedWith` is the key in force. */
export function makeSubmission(
  kind: Submission['kind'],
  envelope: JsonObject,
  verifiedWith: string | null = null,
): Submission {
  return { kind, envelope, encoded: encodeEnvelope(envelope), verifiedWith };
}
