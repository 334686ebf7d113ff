/** Waiting for news within one call, in place of many calls that find none. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Below what clients wait for a tool: a minute, of which opening the agent and reading the answer take some. */
const MOST_SECONDS = 45;
const LOOK_MILLISECONDS = 1_000;

/** Looks until something new is found, or the time is over, and returns what it found last. A look that fails ends it. */
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
