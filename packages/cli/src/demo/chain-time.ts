/** The time of the chain that the demo plays on: that of this machine, or that of a laboratory, which obeys. */
import type { Stage } from './stage.ts';

/** A deadline as documents show it: it is reached when both its height and its time have passed. */
export interface Deadline {
  height: number;
  /** ISO 8601. */
  time: string;
}

/** Whole seconds until a time of the chain, 0 where it has passed. */
export async function secondsUntil(
  { client, laboratory }: Stage,
  time: string | number,
): Promise<number> {
  const now = laboratory ? Date.parse((await client.read('/v1/lab')).clock) : Date.now();
  return Math.max(0, Math.ceil((new Date(time).getTime() - now) / 1_000));
}

/**
 * Moves a laboratory to a moment, so that nothing has to wait for it.
 * @returns false on any other chain, where time passes by itself
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
