import type { Stage } from './stage.ts';

export interface Deadline {
  height: number;
  time: string;
}

export async function secondsUntil(
  { client, laboratory }: Stage,
  time: string | number,
): Promise<number> {
  const now = laboratory ? Date.parse((await client.read('/v1/lab')).clock) : Date.now();
  return Math.max(0, Math.ceil((new Date(time).getTime() - now) / 1_000));
}

export async function moveTo(
  { client, laboratory }: Stage,
  { height, time }: Deadline,
): Promise<boolean> {
  if (!laboratory) return false;
  const { height: reached, clock } = await client.read('/v1/lab');
  const blocks = Math.max(1, height - reached);
  // A span, because the clock runs on and may already be past the time.
  const seconds = Math.ceil((Date.parse(time) - Date.parse(clock)) / 1_000);
  if (seconds > 0) await client.post('/v1/lab/time', { seconds, blocks });
  else await client.post('/v1/lab/mine', { blocks });
  return true;
}
