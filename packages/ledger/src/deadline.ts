/**
 * Deadlines. A protective delay counts heights and header time, and both must be reached: heights are cheap
 * to produce and clocks drift.
 */
import type { ErrorCode, ProtectiveDelay } from '@netd/protocol';
import { requireThat } from './rule-error.ts';

export interface Deadline {
  height: number;
  /** Header time in milliseconds; 0 if only the height counts. */
  time: number;
}

/** Height and header time (milliseconds) of the executing block. */
export type Now = Pick<Deadline, 'height' | 'time'>;

export function deadlineAfter(from: Now, { heights, milliseconds }: ProtectiveDelay): Deadline {
  return { height: from.height + heights, time: from.time + milliseconds };
}

/** Returns true if a delay has fewer heights or less time than another. */
export function isShorter(delay: ProtectiveDelay, least: ProtectiveDelay): boolean {
  return delay.heights < least.heights || delay.milliseconds < least.milliseconds;
}

/** Returns the deadline after a last valid height. */
export function deadlineBeyond(lastHeight: number): Deadline {
  return { height: lastHeight + 1, time: 0 };
}

/**
 * Returns true if something valid through `lastHeight` has expired at `height`. Rules pass the executing
 * height and never check the timer, which may run some blocks later. Documents pass the height of their
 * snapshot, or the next one to say what can still be done.
 */
export function hasExpired(lastHeight: number, height: number): boolean {
  return isReached(deadlineBeyond(lastHeight), { height, time: 0 });
}

/** Returns true once both the height and the time have been reached. */
export function isReached(deadline: Deadline, { height, time }: Now): boolean {
  return height >= deadline.height && time >= deadline.time;
}

/**
 * Rejects a last height that has passed or is too far ahead.
 * @throws RuleError `passed` if it has passed, `tooFar` if it is more than `most` above the current height
 */
export function requireLastHeight(
  lastHeight: number,
  { height }: Pick<Now, 'height'>,
  { path, passed, ahead }: LastHeightRule,
): void {
  const current = height - 1;
  requireThat(
    !hasExpired(lastHeight, height),
    passed,
    path,
    () => `the current height is ${current}`,
  );
  if (!ahead) return;
  const last = current + ahead.most;
  requireThat(lastHeight <= last, ahead.tooFar, path, () => `it may be at most ${last} now`);
}

export interface LastHeightRule {
  /** JSON Pointer of the height in the envelope. */
  path: string;
  passed: ErrorCode;
  /** The most heights above the current one; no bound if absent. */
  ahead?: { most: number; tooFar: ErrorCode };
}
