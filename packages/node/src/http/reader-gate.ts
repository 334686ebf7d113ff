/**
 * A process that exits ends its threads wherever they are, and one that is inside the database then aborts it. So a thread
 * goes through a gate whenever it uses the database, and an exit shuts the gate and waits until nobody is behind it.
 */

const OPEN = 0;
/** Somebody is behind it. */
const USED = 1;
const SHUT = 2;
/** A read takes a few hundredths of a second. */
const LONGEST_WAIT_MILLISECONDS = 2_000;

/** One for each thread. */
export type Gate = Int32Array<SharedArrayBuffer>;

export function makeGate(): Gate {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** What the work answers; undefined where the gate is shut, and it is not done. */
export function throughGate<Result>(gate: Gate, work: () => Result): Result | undefined {
  if (Atomics.compareExchange(gate, 0, OPEN, USED) !== OPEN) return undefined;
  try {
    return work();
  } finally {
    Atomics.and(gate, 0, ~USED);
    Atomics.notify(gate, 0);
  }
}

/** Lets nobody through any more, and waits until whoever is behind the gate has come back. */
export function shutGate(gate: Gate): void {
  const until = performance.now() + LONGEST_WAIT_MILLISECONDS;
  Atomics.or(gate, 0, SHUT);
  for (let left = LONGEST_WAIT_MILLISECONDS; left > 0; left = until - performance.now()) {
    if (Atomics.wait(gate, 0, USED | SHUT, left) === 'not-equal') return;
  }
}
