/**
 * A process that exits ends its threads wherever they are, and one that is inside the database then aborts it. So a thread
 * goes through a gate to use the database, and an exit shuts the gate and waits until no thread is behind it.
 */

const OPEN = 0;
/** A thread is behind it. */
const USED = 1;
const SHUT = 2;
/** A read takes a few hundredths of a second, and so does a block until it is handed to the disk. */
const LONGEST_WAIT_MILLISECONDS = 2_000;

/** One for each thread. */
export type Gate = Int32Array<SharedArrayBuffer>;

export function makeGate(): Gate {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** False where the gate is shut: the database is not to be touched. A thread that gets in calls `leaveGate`. */
export function enterGate(gate: Gate): boolean {
  return Atomics.compareExchange(gate, 0, OPEN, USED) === OPEN;
}

export function leaveGate(gate: Gate): void {
  Atomics.and(gate, 0, ~USED);
  Atomics.notify(gate, 0);
}

/** What the work answers; undefined where the gate is shut, and it is not done. */
export function throughGate<Result>(gate: Gate, work: () => Result): Result | undefined {
  if (!enterGate(gate)) return undefined;
  try {
    return work();
  } finally {
    leaveGate(gate);
  }
}

/** Shuts the gate. @returns whether no thread is behind it */
export function shutGate(gate: Gate): boolean {
  return (Atomics.or(gate, 0, SHUT) & USED) === 0;
}

/** Waits until every thread behind a shut gate has come back. */
export function awaitLeaving(gate: Gate): void {
  Atomics.wait(gate, 0, USED | SHUT, LONGEST_WAIT_MILLISECONDS);
}

/** Comes out from behind a shut gate, and does nothing more until the process ends its threads. */
export function leaveForGood(gate: Gate): void {
  leaveGate(gate);
  Atomics.wait(gate, 0, SHUT);
}
