/** Rounds remaining time down. */

/** It has passed with the first block whose height and timestamp have both reached it. */
interface Deadline {
  height: number;
  time: string;
}

const STEPS: readonly [unit: string, milliseconds: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** `3 min`, `45 s`; rounded down. */
export function duration(milliseconds: number): string {
  const [unit, size] = STEPS.find(([, each]) => milliseconds >= each) ?? ['s', 1_000];
  return `${Math.max(0, Math.floor(milliseconds / size))} ${unit}`;
}

/**
 * Returns `45 s`, `12 blocks` or both, because both must be reached.
 * @param head the newest block; on an idle chain it lags behind the time, so the later clock counts
 */
export function timeLeft(
  deadline: Deadline | null,
  head: { height: number; timestamp: string },
  now: number = Date.now(),
): string {
  if (!deadline) return '';
  // A height alone is no deadline yet: the committee is drawn with the next block, which sets one.
  if (Date.parse(deadline.time) <= 0) return 'no deadline yet';
  const blocks = deadline.height - head.height;
  const milliseconds = Date.parse(deadline.time) - Math.max(Date.parse(head.timestamp), now);
  const parts = [
    ...(milliseconds > 0 ? [duration(milliseconds)] : []),
    ...(blocks > 0 ? [`${blocks} block${blocks === 1 ? '' : 's'}`] : []),
  ];
  return parts.length === 0 ? 'over' : parts.join(' and ');
}

export function ago(timestamp: string, now: number = Date.now()): string {
  const passed = now - Date.parse(timestamp);
  return passed < 1_000 ? 'just now' : `${duration(passed)} ago`;
}
