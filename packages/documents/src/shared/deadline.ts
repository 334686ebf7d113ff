import type { Deadline as DeadlineRecord } from '@netd/ledger';
import { Height, msToTimestamp, Timestamp } from '@netd/protocol';
import { exactly, type Static } from '@netd/protocol/type';

export const Deadline = exactly(
  { height: Height, time: Timestamp },
  {
    title: 'Deadline',
    description:
      'It has passed with the first block whose height and whose timestamp have both reached it.',
  },
);
export type Deadline = Static<typeof Deadline>;

/** Converts the time from milliseconds to the format of block headers. */
export function deadlineView({ height, time }: DeadlineRecord): Deadline {
  return { height, time: msToTimestamp(time) };
}

/** Returns null if there is no deadline, or only a height, as while a committee is being drawn. */
export function deadlineOrNull(deadline: DeadlineRecord | null): Deadline | null {
  return deadline === null || deadline.time === 0 ? null : deadlineView(deadline);
}
