/**
 * What Node's test runner tells, one JSON line an event, for the process that runs many files (main.ts beside this).
 * Node has no such reporter of its own, and its own events hold errors that JSON does not.
 */
import { inspect, stripVTControlCharacters } from 'node:util';
import type { TestEvent as NodeEvent } from 'node:test/reporters';

export type TestEvent =
  /** The last line: without it the process ended before its tests did. */
  | { type: 'done' }
  /** What failed after the test that began it had ended: Node tells it as a diagnostic alone. */
  | { type: 'late'; why: string }
  | { type: 'start'; name: string; nesting: number }
  | {
      type: 'end';
      name: string;
      nesting: number;
      outcome: 'passed' | 'failed' | 'skipped';
      isSuite: boolean;
      milliseconds: number;
      /** Where it stands, as `file:line`. */
      at: string;
      /** Why it failed or was skipped; empty where only something inside it failed. */
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
