/** Waits within one call, so that a model need not repeat empty calls. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Clients usually end a call after a minute. This leaves time to open the agent and answer. */
const MOST_SECONDS = 45;
const LOOK_MILLISECONDS = 1_000;

export async function lookUntil<Found>(
  seconds: number | undefined,
  look: () => Promise<Found>,
  isNews: (found: Found) => boolean,
): Promise<Found> {
  const deadline = Date.now() + Math.min(seconds ?? 0, MOST_SECONDS) * 1_000;
  for (;;) {
    const found = await look();
    const left = deadline - Date.now();
    if (left <= 0 || isNews(found)) return found;
    await sleep(Math.min(left, LOOK_MILLISECONDS));
  }
}
