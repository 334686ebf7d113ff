/** Reads the feed backwards and filters its events in this page, newest first. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ParametersOf } from '@netd/sdk/core';
import type { ChainEvent } from '../words/stream.ts';
import { client, type ReadMeta } from './client.ts';

const PAGE = 500;
const MOST_REQUESTS = 4;

interface Found {
  events: readonly ChainEvent[];
  before: string | null;
}

/**
 * @param name cache key
 * @param asked filters that the node applies; `before` for events up to an earlier height
 * @param isOne filter that this page applies
 */
export const eventsOf = (
  name: string,
  asked: Pick<ParametersOf<'/v1/events'>, 'agent' | 'type' | 'before' | 'limit'>,
  isOne: (event: ChainEvent) => boolean,
) =>
  infiniteQueryOptions({
    queryKey: ['events', name, asked] as const,
    queryFn: async ({ pageParam }): Promise<Found> => {
      let before = pageParam;
      const found: ChainEvent[] = [];
      for (let request = 0; request < MOST_REQUESTS; request++) {
        const from = before ?? asked.before ?? `${(await client.network()).height + 1}.0`;
        const page = await client.read('/v1/events', { limit: PAGE, ...asked, before: from });
        found.push(...page.events.filter(isOne));
        before = page.more ? page.next : null;
        if (before === null || found.length > 0) break;
      }
      return { events: found, before };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ before }) => before,
    meta: { pace: 'held' } satisfies ReadMeta,
    staleTime: 60_000,
  });

export const allEvents = (agentId: string) => eventsOf('all', { agent: agentId }, () => true);

const PAST_PAGE = 100;

/** Events that name an agent or account, up to a height. */
export const eventsUpTo = (agentId: string, at: number) =>
  eventsOf('past', { agent: agentId, before: `${at + 1}.0`, limit: PAST_PAGE }, () => true);
