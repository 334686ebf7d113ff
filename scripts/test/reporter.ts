/**
 * A reporter for main.ts: a JSON line per event. Node has none, and its events contain errors that JSON cannot
 * hold.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { inspect, stripVTControlCharacters } from 'node:util';
import type { TestEvent as NodeEvent } from 'node:test/reporters';

export type TestEvent =
  /** The last line. Without it, the process ended before its tests. */
  | { type: 'done' }
  /** A failure after its test had ended, which Node reports only as a diagnostic. */
  | { type: 'late'; why: string }
  | { type: 'start'; name: string; nesting: number }
  | {
      type: 'end';
      name: string;
      nesting: number;
      outcome: 'passed' | 'failed' | 'skipped';
      isSuite: boolean;
      milliseconds: number;
      /** `file:line` of the test. */
      at: string;
      /** Reason of a failure or skip; empty if only a nested test failed. */
      why: string;
    };

interface Failure {
  failureType?: string;
  cause?: unknown;
}

/** Time in which a process ends by itself after one of its tests timed out. */
const GRACE_MILLISECONDS = 10_000;

/** A test that timed out goes on, and may keep its process alive up to the limit of the whole file. */
export default async function* reporter(events: AsyncIterable<NodeEvent>): AsyncGenerator<string> {
  const unread = events[Symbol.asyncIterator]();
  let [open, hasTimedOut] = [0, false];
  for (;;) {
    const isIdle = hasTimedOut && open === 0;
    const grace = isIdle ? [pause(GRACE_MILLISECONDS, null, { ref: false })] : [];
    const next = await Promise.race([unread.next(), ...grace]);
    if (next?.done) break;
    if (!next) {
      const why = 'a test that timed out kept this process alive, so it was ended';
      yield `${JSON.stringify({ type: 'late', why } satisfies TestEvent)}\n`;
      process.exit(1);
    }
    const { type, data } = next.value;
    if (type === 'test:start') open += 1;
    if (type === 'test:pass' || type === 'test:fail') open -= 1;
    if (type === 'test:fail') hasTimedOut ||= isTimeout(data.details.error);
    const told = toldOf(next.value);
    if (told) yield `${JSON.stringify(told)}\n`;
  }
  yield `${JSON.stringify({ type: 'done' } satisfies TestEvent)}\n`;
}

const isTimeout = (error: Failure): boolean => error.failureType === 'testTimeoutFailure';

function toldOf({ type, data }: NodeEvent): TestEvent | null {
  if (type === 'test:start') return { type: 'start', name: data.name, nesting: data.nesting };
  if (type === 'test:diagnostic' && data.message.includes('asynchronous activity after the test'))
    return { type: 'late', why: stripVTControlCharacters(data.message) };
  if (type !== 'test:pass' && type !== 'test:fail') return null;
  const { name, nesting, file, line, details, skip, todo } = data;
  const isSkipped = skip !== undefined || todo !== undefined;
  const outcome = isSkipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
  const reason = skip ?? todo;
  let why = typeof reason === 'string' ? reason : '';
  if (outcome === 'failed' && 'error' in details) why = failureText(details.error);
  return {
    type: 'end',
    name,
    nesting,
    outcome,
    isSuite: details.type === 'suite',
    milliseconds: details.duration_ms,
    at: `${file ?? '?'}:${line ?? 0}`,
    why,
  };
}

function failureText(error: Error & Failure): string {
  if (error.failureType === 'subtestsFailed') return '';
  const cause = error.cause ?? error;
  return stripVTControlCharacters(typeof cause === 'string' ? cause : inspect(cause, { depth: 5 }));
}
