/** Reads the events up to a height: the newest one, as events arrive, or an earlier one. */
import { compareEventIds } from '@netd/protocol';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ChainEvent } from '../words/stream.ts';
import { reading } from './client.ts';
import { useLive, type Live } from './live.ts';

/** Number of events that are read before an earlier height. */
const WINDOW = 300;
/** The page reads more if it knows fewer events than this before a height. */
const ENOUGH = 150;

/**
 * @param at the height to show; null for the newest
 * @param settled the height to read events for, so that dragging requests nothing
 */
export function useSeen(at: number | null, settled: number | null): Live {
  const live = useLive();
  const { events, ready, hasOlder } = live;
  const isKnown = (height: number): boolean =>
    !hasOlder || events.filter((event) => event.height <= height).length >= ENOUGH;
  const asked = settled !== null && ready && !isKnown(settled) ? settled : null;
  const page = useQuery({
    ...reading('/v1/events', { before: `${(asked ?? 0) + 1}.0`, limit: WINDOW }, 'fixed'),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  });
  const earlier = asked === null ? undefined : page.data;
  return useMemo(() => {
    if (at === null) return live;
    const upTo = (list: readonly ChainEvent[]): ChainEvent[] =>
      list.filter(({ height }) => height <= at);
    const seen = upTo(events);
    const oldest = seen.at(-1);
    const before = upTo(earlier?.events ?? []).filter(
      ({ id }) => oldest === undefined || compareEventIds(id, oldest.id) < 0,
    );
    return {
      events: [...seen, ...before],
      height: at,
      ready: ready && !(asked !== null && earlier === undefined),
      hasOlder: earlier === undefined && hasOlder,
    };
  }, [at, asked, live, events, ready, hasOlder, earlier]);
}
