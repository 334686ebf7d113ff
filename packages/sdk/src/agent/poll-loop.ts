/** The loop of every worker: poll, do what is there, wait for a wake or until something put off is due. */
import { SLOW_POLL, type AgentParts } from './parts.ts';

const SHORTEST_WAIT = 100;

/**
 * Looks again and again until the agent stops; what a look throws is a warning.
 * @param putOff what is not to be looked at before a time, which is when the next look comes at the latest
 */
export async function keepPolling(
  { poller, events, time }: Pick<AgentParts, 'poller' | 'events' | 'time'>,
  look: () => Promise<void>,
  putOff: ReadonlyMap<string, { until: number }>,
): Promise<void> {
  while (!poller.signal.aborted) {
    const { wakes } = poller;
    try {
      await look();
    } catch (error) {
      if (poller.signal.aborted) break;
      events.warn(error);
    }
    const now = time.now();
    const waits = [...putOff.values()].map(({ until }) => until - now).filter((wait) => wait > 0);
    await poller.wait(Math.max(SHORTEST_WAIT, Math.min(SLOW_POLL, ...waits)), wakes);
  }
}
