/** Pages and their pictures take turns, so that a request beside a flood of them waits for one, not for all. */
import type { ServerResponse } from 'node:http';

const waiting: { raw: ServerResponse; call: () => void }[] = [];

/**
 * Resolves for one request in each turn of the event loop. A client that hung up gets no turn: its promise stays
 * pending, and nothing is made for it.
 */
export function ownTurn(raw: ServerResponse): Promise<void> {
  return new Promise((call) => {
    if (waiting.push({ raw, call }) === 1) setImmediate(callNext);
  });
}

function callNext(): void {
  let next = waiting.shift();
  while (next?.raw.destroyed === true) next = waiting.shift();
  if (waiting.length > 0) setImmediate(callNext);
  next?.call();
}
