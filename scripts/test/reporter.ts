/**
 * A reporter for main.ts: a JSON line per event. Node has none, and its events contain errors that JSON cannot
 * hold.
 */
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

export default async function* reporter(events: AsyncIterable<NodeEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const told = toldOf(event);
    if (told) yield `${JSON.stringify(told)}\n`;
  }
  yield `${JSON.stringify({ type: 'done' } satisfies TestEvent)}\n`;
}

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
