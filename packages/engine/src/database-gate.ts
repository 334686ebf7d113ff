/**
 * When a process exits, it ends its threads anywhere, and LMDB aborts the process if one is inside. So a thread
 * enters a gate to use the database. An exit shuts the gate and waits until no thread is inside.
 */

const OPEN = 0;
/** A thread is inside. */
const USED = 1;
const SHUT = 2;
/** Reads, and blocks until their write, take hundredths of a second. */
const LONGEST_WAIT_MILLISECONDS = 2_000;

/** One per thread. */
export type Gate = Int32Array<SharedArrayBuffer>;

export function makeGate(): Gate {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Returns false if the gate is shut: don't touch the database. Otherwise call `leaveGate` afterwards. */
export function enterGate(gate: Gate): boolean {
  return Atomics.compareExchange(gate, 0, OPEN, USED) === OPEN;
}

export function leaveGate(gate: Gate): void {
  Atomics.and(gate, 0, ~USED);
  Atomics.notify(gate, 0);
}

/** Runs work inside the gate. Returns undefined, without running it, if the gate is shut. */
export function throughGate<Result>(gate: Gate, work: () => Result): Result | undefined {
  if (!enterGate(gate)) return undefined;
  try {
    return work();
  } finally {
    leaveGate(gate);
  }
}

/** Shuts the gate. @returns true if no thread is inside */
export function shutGate(gate: Gate): boolean {
  return (Atomics.or(gate, 0, SHUT) & USED) === 0;
}

/** Waits until the thread inside a shut gate has left, for two seconds at most. */
export function awaitLeaving(gate: Gate): void {
  Atomics.wait(gate, 0, USED | SHUT, LONGEST_WAIT_MILLISECONDS);
}

/** Leaves a shut gate and blocks the thread until the process ends it. */
export function leaveForGood(gate: Gate): void {
  leaveGate(gate);
  Atomics.wait(gate, 0, SHUT);
}
