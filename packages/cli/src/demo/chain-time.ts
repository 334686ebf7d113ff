import type { Stage } from './stage.ts';

/** A deadline in a document. Both its height and its time must pass. */
export interface Deadline {
  height: number;
  /** ISO 8601. */
  time: string;
}

export async function secondsUntil(
  { client, laboratory }: Stage,
  time: string | number,
): Promise<number> {
  const now = laboratory ? Date.parse((await client.read('/v1/lab')).clock) : Date.now();
  return Math.max(0, Math.ceil((new Date(time).getTime() - now) / 1_000));
}

/**
 * Moves a laboratory's clock to a moment.
 * @returns false on other chains
 */
export async function moveTo(
  { client, laboratory }: Stage,
  { height, time }: Deadline,
): Promise<boolean> {
  if (!laboratory) return false;
  const { height: reached, clock } = await client.read('/v1/lab');
  const blocks = Math.max(1, height - reached);
  if (Date.parse(time) > Date.parse(clock)) await client.post('/v1/lab/time', { to: time, blocks });
  else await client.post('/v1/lab/mine', { blocks });
  return true;
}
