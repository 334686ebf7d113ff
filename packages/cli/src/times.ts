/** Formats times and deadlines. Remaining time is rounded down. */

/** A deadline passes with the first block that reaches both its height and its time. */
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

export function duration(milliseconds: number): string {
  const [unit, size] = STEPS.find(([, each]) => milliseconds >= each) ?? ['s', 1_000];
  return `${Math.max(0, Math.floor(milliseconds / size))} ${unit}`;
}

/**
 * Returns `45 s`, `12 blocks` or both, because both must pass.
 * @param head the newest block; the local clock counts if it is ahead of an idle chain
 */
export function timeLeft(
  deadline: Deadline | null,
  head: { height: number; timestamp: string },
  now: number = Date.now(),
): string {
  if (!deadline) return '';
  // While a committee is drawn, only the height is set. The next block sets the deadline.
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
