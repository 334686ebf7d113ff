/** A trace as JSON, bounded in size: what `netd trace`, `GET /v1/lab/trace` and a simulation answer with. */
import type { TransitionTrace } from '@netd/ledger';
import type { JsonObject, JsonValue } from '@netd/protocol';
import { toApiError } from '../chain/api-error.ts';

export interface TraceReport {
  /** The rules that were asked, in order; the last one has refused where it does not hold. */
  rules: { code: string; path: string; holds: boolean }[];
  /** As they were before; null where there was none. */
  reads: { key: string; value: unknown }[];
  writes: { key: string; before: unknown; after: unknown }[];
  /** What the ledger will do by itself, and from which height and time on; null for both where it will no longer. */
  timers: { kind: string; subject: string; height: number | null; time: number | null }[];
  /** The nonce that it spent, by hash, and until which height. */
  nonce: { nonceHash: string; expiresAtHeight: number } | null;
  events: { type: string; data: JsonObject }[];
  refusal: { code: string; path: string; message: string } | null;
  /** Rules, records and values that were left out because there are too many, or because they are too long. */
  leftOut: number;
}

/** Entries of each list. */
const MOST_ENTRIES = 200;
/** Characters of one value as JSON, and of all of them together. */
const LONGEST_VALUE = 4_000;
const LONGEST = 100_000;

/** The last entries of rules, the first of all else: the rule that refused is the one to see. */
export function traceReport(trace: TransitionTrace): TraceReport {
  let leftOut = 0;
  let room = LONGEST;
  const value = (given: unknown): JsonValue => {
    const text = JSON.stringify(given ?? null);
    const most = Math.min(LONGEST_VALUE, room);
    if (text.length <= most) {
      room -= text.length;
      return JSON.parse(text) as JsonValue;
    }
    leftOut += 1;
    return `… ${text.length} characters`;
  };
  const most = <Entry>(entries: readonly Entry[]): readonly Entry[] => {
    leftOut += Math.max(0, entries.length - MOST_ENTRIES);
    return entries.slice(0, MOST_ENTRIES);
  };
  const rules = most(trace.rules.toReversed()).toReversed();
  const { refusal } = trace;
  const fault = refusal && toApiError(refusal).data.errors?.[0];
  // What it changed goes first where there is not room for all.
  const writes = most(trace.writes).map(({ key, before, after }) => ({
    key,
    before: value(before),
    after: value(after),
  }));
  const events = most(trace.events).map(({ type, data }) => {
    const shown = value(data);
    return { type, data: typeof shown === 'string' ? {} : (shown as JsonObject) };
  });
  return {
    rules: rules.map(({ code, path, holds }) => ({ code, path, holds })),
    reads: most(trace.reads).map((read) => ({ key: read.key, value: value(read.value) })),
    writes,
    timers: most(trace.timers).map(({ kind, subject, deadline }) => ({
      kind,
      subject,
      height: deadline?.height ?? null,
      time: deadline?.time ?? null,
    })),
    nonce: trace.spentNonce,
    events,
    refusal: refusal && {
      code: refusal.code,
      path: fault?.path ?? '',
      message: fault?.message ?? '',
    },
    leftOut,
  };
}
