/** Keeps threads out of the database during an exit, because LMDB aborts if a thread inside it is ended. */

const OPEN = 0;
const USED = 1;
const SHUT = 2;
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
