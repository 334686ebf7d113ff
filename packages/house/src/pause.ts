import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, and no longer than until the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}
