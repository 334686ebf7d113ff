import { counted } from './amount.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns text such as `12 s ago` or `in 3 h`. Tolerates small clock errors. */
export function ago(time: number, now: number): string {
  const past = now - time;
  if (Math.abs(past) < 2 * SECOND) return 'now';
  return past > 0 ? `${duration(past)} ago` : `in ${duration(-past)}`;
}

export function duration(milliseconds: number): string {
  if (milliseconds < SECOND) return `${Math.max(0, Math.round(milliseconds))} ms`;
  if (milliseconds < 2 * MINUTE) return `${Math.floor(milliseconds / SECOND)} s`;
  if (milliseconds < 2 * HOUR) return `${Math.floor(milliseconds / MINUTE)} min`;
  if (milliseconds < 2 * DAY) return `${Math.floor(milliseconds / HOUR)} h`;
  return `${Math.floor(milliseconds / DAY)} days`;
}

/** Returns the number of blocks, and how long they take if the node tells the truth about its blocks. */
export const blocksWords = (blocks: number, blockTimeMs: number): string =>
  `${counted(blocks, 'block')}, ${duration(blocks * blockTimeMs)} or more by the node's word`;

export function tick(time: number, now: number): number {
  const distance = Math.abs(now - time);
  if (distance < 2 * MINUTE) return SECOND;
  return distance < 2 * HOUR ? MINUTE : HOUR;
}

export function exactTime(time: number): string {
  if (!Number.isFinite(time)) return 'unknown';
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
