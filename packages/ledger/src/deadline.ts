/**
 * Deadlines. A protective delay counts heights and header time, because heights are cheap to produce and
 * clocks drift.
 */
import { Height, type ErrorCode, type ProtectiveDelay } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import { requireThat } from './rule-error.ts';

export const Deadline = exactly(
  {
    height: Height,
    time: Type.Integer({ description: 'In milliseconds; 0 if only the height counts.' }),
  },
  {
    title: 'EventDeadline',
    description: 'Reached with both: a height and a header time.',
  },
);
export type Deadline = Static<typeof Deadline>;

/** Height and header time, in milliseconds, of the executing block. */
export type Now = Pick<Deadline, 'height' | 'time'>;

export function deadlineAfter(from: Now, { heights, milliseconds }: ProtectiveDelay): Deadline {
  return { height: from.height + heights, time: from.time + milliseconds };
}

/** True if either part is shorter. */
export function isShorter(delay: ProtectiveDelay, least: ProtectiveDelay): boolean {
  return delay.heights < least.heights || delay.milliseconds < least.milliseconds;
}

export function deadlineBeyond(lastHeight: number): Deadline {
  return { height: lastHeight + 1, time: 0 };
}

/**
 * True once a thing valid through `lastHeight` has expired. Rules pass the executing height, because a timer
 * may be late. Documents pass the height of their snapshot or the next one.
 */
export function hasExpired(lastHeight: number, height: number): boolean {
  return isReached(deadlineBeyond(lastHeight), { height, time: 0 });
}

export function isReached(deadline: Deadline, { height, time }: Now): boolean {
  return height >= deadline.height && time >= deadline.time;
}

/**
 * @throws RuleError `passed` if the height has passed, `tooFar` if it is more than `most` above the current
 *   one
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
  path: string;
  passed: ErrorCode;
  ahead?: { most: number; tooFar: ErrorCode };
}
