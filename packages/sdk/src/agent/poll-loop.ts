import { SLOW_POLL, type AgentParts } from './parts.ts';

const SHORTEST_WAIT = 100;

/**
 * Polls until the agent stops, and turns errors into warnings. In a tick, polls until there is nothing more to
 * do now.
 * @param putOff times of retries; the earliest bounds the wait
 * @param settle waits for everything that `look` began
 */
export async function keepPolling(
  { poller, events, time }: Pick<AgentParts, 'poller' | 'events' | 'time'>,
  look: () => Promise<void>,
  putOff: ReadonlyMap<string, { until: number }>,
  settle: () => Promise<unknown> = async () => {},
): Promise<void> {
  while (!poller.signal.aborted) {
    const { wakes } = poller;
    try {
      await look();
    } catch (error) {
      if (poller.signal.aborted) break;
      events.warn(error);
    }
    if (poller.ticks) await settle();
    const now = time.now();
    const waits = [...putOff.values()].map(({ until }) => until - now).filter((wait) => wait > 0);
    const wait = Math.max(SHORTEST_WAIT, Math.min(SLOW_POLL, ...waits));
    if (!(await poller.rest(wait, wakes))) return;
  }
}
