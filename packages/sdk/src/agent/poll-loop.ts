import { SLOW_POLL, type AgentParts } from './parts.ts';

const SHORTEST_WAIT = 100;

/**
 * Polls until the agent stops, and turns errors into warnings.
 * @param putOff times of retries; the earliest bounds the wait
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
