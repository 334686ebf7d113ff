/**
 * The one kind of time in the ledger. Heights are cheap to push and clocks drift, so whatever protects somebody counts in
 * heights and in header time, and both must have got there.
 */
import type { ProtectiveDelay } from '@netd/protocol';

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

/** The deadline of what is good up to and including a height. */
export function deadlineBeyond(lastHeight: number): Deadline {
  return { height: lastHeight + 1, time: 0 };
}

/** Whether both the height and the time of the deadline have been reached by this block. */
export function isReached(deadline: Deadline, { height, time }: Now): boolean {
  return height >= deadline.height && time >= deadline.time;
}
