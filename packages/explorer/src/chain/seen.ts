/** Reads the events up to a height: the newest one, as events arrive, or an earlier one. */
import { compareEventIds } from '@netd/protocol';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ChainEvent } from '../words/stream.ts';
import { eventsOf } from './events-of.ts';
import { readOlder, useLive, type Live } from './live.ts';

/** Number of events that are read at once before an earlier height. */
const WINDOW = 300;
/** The page reads more if it knows fewer events than this before a height. */
const ENOUGH = 150;

export interface Seen extends Live {
  /** @returns the page before the oldest event, newest first */
  readOlder: () => Promise<readonly ChainEvent[]>;
}

/**
 * @param at the height to show; null for the newest
 * @param settled the height to read events for, so that dragging requests nothing
 */
export function useSeen(at: number | null, settled: number | null): Seen {
  const live = useLive();
  const { events, ready, hasOlder } = live;
  const isKnown = (height: number): boolean =>
    !hasOlder || events.filter((event) => event.height <= height).length >= ENOUGH;
  const asked = settled !== null && ready && !isKnown(settled) ? settled : null;
  const {
    data,
    hasNextPage: hasEarlier,
    fetchNextPage,
  } = useInfiniteQuery({
    ...eventsOf('seen', { before: `${(asked ?? 0) + 1}.0`, limit: WINDOW }, () => true),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    // Events of the past stay the same.
    staleTime: Infinity,
    meta: { pace: 'fixed' },
  });
  const earlier = asked === null ? undefined : data?.pages;
  return useMemo(() => {
    if (at === null) return { ...live, readOlder };
    const upTo = (list: readonly ChainEvent[]): ChainEvent[] =>
      list.filter(({ height }) => height <= at);
    const seen = upTo(events);
    const oldest = seen.at(-1);
    const before = upTo(earlier?.flatMap((page) => page.events) ?? []).filter(
      ({ id }) => oldest === undefined || compareEventIds(id, oldest.id) < 0,
    );
    return {
      events: [...seen, ...before],
      height: at,
      ready: ready && !(asked !== null && earlier === undefined),
      hasOlder: earlier === undefined ? hasOlder : hasEarlier,
      readOlder:
        asked === null
          ? readOlder
          : async () => {
              const read = await fetchNextPage({ throwOnError: true });
              return read.data?.pages.at(-1)?.events ?? [];
            },
    };
  }, [at, asked, live, events, ready, hasOlder, earlier, hasEarlier, fetchNextPage]);
}
