/**
 * Keeps threads out of the database during an exit: a process that exits ends its threads anywhere, and LMDB
 * aborts if a thread is inside. Threads enter the gate, and an exit shuts it and waits.
 */

const OPEN = 0;
const USED = 1;
const SHUT = 2;
/** Reads hold the gate for hundredths of a second, and blocks do so until their write. */
const LONGEST_WAIT_MILLISECONDS = 2_000;

export type Gate = Int32Array<SharedArrayBuffer>;

export function makeGate(): Gate {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Returns false if the gate is shut. Otherwise call `leaveGate` afterwards. */
export function enterGate(gate: Gate): boolean {
  return Atomics.compareExchange(gate, 0, OPEN, USED) === OPEN;
}

export function leaveGate(gate: Gate): void {
  Atomics.and(gate, 0, ~USED);
  Atomics.notify(gate, 0);
}

/** Returns undefined, without running the work, if the gate is shut. */
export function throughGate<Result>(gate: Gate, work: () => Result): Result | undefined {
  if (!enterGate(gate)) return undefined;
  try {
    return work();
  } finally {
    leaveGate(gate);
  }
}

/** @returns true if no thread is inside */
export function shutGate(gate: Gate): boolean {
  return (Atomics.or(gate, 0, SHUT) & USED) === 0;
}

export function awaitLeaving(gate: Gate): void {
  Atomics.wait(gate, 0, USED | SHUT, LONGEST_WAIT_MILLISECONDS);
}

/** Blocks the thread until the process ends it. */
export function leaveForGood(gate: Gate): void {
  leaveGate(gate);
  Atomics.wait(gate, 0, SHUT);
}
