/**
 * The one kind of time in the ledger. Heights are cheap to push and clocks drift, so a protective delay counts in
 * heights and in header time, and both must have got there.
 */
import type { ErrorCode, ProtectiveDelay } from '@netd/protocol';
import { requireThat } from './rule-error.ts';

export interface Deadline {
  height: number;
  /** Header time in milliseconds; 0 where the height alone counts. */
  time: number;
}

/** The block that asks: its height and its header time in milliseconds. */
export type Now = Pick<Deadline, 'height' | 'time'>;

/** The deadline a delay after `from`: a block, or another deadline. */
export function deadlineAfter(from: Now, { heights, milliseconds }: ProtectiveDelay): Deadline {
  return { height: from.height + heights, time: from.time + milliseconds };
}

/** Whether a delay has fewer heights than the least one, or less time. */
export function isShorter(delay: ProtectiveDelay, least: ProtectiveDelay): boolean {
  return delay.heights < least.heights || delay.milliseconds < least.milliseconds;
}

/** The deadline of what is good up to and including a height. */
export function deadlineBeyond(lastHeight: number): Deadline {
  return { height: lastHeight + 1, time: 0 };
}

/**
 * Whether what is good up to and including `lastHeight` is over at a height. Rules ask with the executing height, and
 * never whether the timer has had its turn: of many that expire at once, some are handled a block later. A document asks
 * with the height of its snapshot, or with the next one where it says what can still be done.
 */
export function hasExpired(lastHeight: number, height: number): boolean {
  return isReached(deadlineBeyond(lastHeight), { height, time: 0 });
}

/** Whether both the height and the time of the deadline have been reached by this block. */
export function isReached(deadline: Deadline, { height, time }: Now): boolean {
  return height >= deadline.height && time >= deadline.time;
}

/**
 * A last height that an envelope offers must not have passed, and must not be too far ahead.
 * @throws RuleError `passed` where the height has passed, `tooFar` where it is more than `most` above the current one
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
  /** How many heights above the current one it may be. */
  ahead?: { most: number; tooFar: ErrorCode };
}
