/** Reads the newest beacons with the times of their blocks, for the chart of agents online. */
import { queryOptions } from '@tanstack/react-query';
import type { Timed } from '../words/activity.ts';
import { client, type ReadMeta } from './client.ts';
import { timesOf } from './times.ts';

/** Newest events of each type. */
const MOST_EVENTS = 200;
/** Maximum number of agents that are counted as online. */
export const MOST_ONLINE = 100;

interface Activity {
  /** In no order. */
  events: readonly Timed[];
  /** Milliseconds since 1970 of the newest block. */
  now: number;
  /** Milliseconds from the first of these events until now; null if they reach back to genesis. */
  span: number | null;
}

/** Milliseconds. A beacon stays for minutes. */
const REFRESH = 30_000;
const TYPES = ['BeaconPublished', 'BeaconExpired', 'BeaconWithdrawn'] as const;

export const presence = queryOptions({
  queryKey: ['activity', 'presence'] as const,
  queryFn: async (): Promise<Activity> => {
    const { height, timestamp } = await client.network();
    const pages = await Promise.all(
      TYPES.map((type) =>
        client.read('/v1/events', { type, before: `${height + 1}.0`, limit: MOST_EVENTS }),
      ),
    );
    // If a type has more events, begin after its oldest one here, because older blocks may lack some.
    const from = Math.max(
      0,
      ...pages.map(({ more, events }) => (more ? (events.at(-1)?.height ?? 0) + 1 : 0)),
    );
    const found = pages.flatMap(({ events }) => events).filter((event) => event.height >= from);
    const times = await timesOf([...new Set(found.map((event) => event.height))]);
    const now = Date.parse(timestamp);
    const events = found.flatMap(({ height: at, type, data }) => {
      const time = times.get(at);
      return time === undefined ? [] : [{ time, type, data }];
    });
    const span = from === 0 ? null : now - Math.min(now, ...events.map(({ time }) => time));
    return { events, now, span };
  },
  meta: { pace: 'held' } satisfies ReadMeta,
  staleTime: REFRESH,
  refetchInterval: REFRESH,
});

/** The number of agents with a beacon; null if there are too many to count here. */
export const onlineNow = queryOptions({
  queryKey: ['activity', 'online'] as const,
  queryFn: async (): Promise<number | null> => {
    const { beacons, nextCursor } = await client.read('/v1/discovery', { limit: MOST_ONLINE });
    return nextCursor === null ? beacons.length : null;
  },
  meta: { pace: 'held' } satisfies ReadMeta,
  staleTime: REFRESH,
  refetchInterval: REFRESH,
});
