/** A trace of bounded size. */
import type { TransitionTrace } from '@netd/ledger';
import type { JsonObject, JsonValue } from '@netd/protocol';
import { toApiError } from '../chain/api-error.ts';

export interface TraceReport {
  rules: { code: string; path: string; holds: boolean }[];
  /** Values before the transition; null if there was none. */
  reads: { key: string; value: unknown }[];
  writes: { key: string; before: unknown; after: unknown }[];
  /** Height and time from which it is due; both are null if it was cancelled. */
  timers: { kind: string; subject: string; height: number | null; time: number | null }[];
  nonce: { nonceHash: string; expiresAtHeight: number } | null;
  events: { type: string; data: JsonObject }[];
  refusal: { code: string; path: string; message: string } | null;
  leftOut: number;
}

const MOST_ENTRIES = 200;
const LONGEST_VALUE = 4_000;
const LONGEST = 100_000;

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
