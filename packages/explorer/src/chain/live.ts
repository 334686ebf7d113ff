/** Provides events to the page. After an event, documents on display refresh together, at a readable rate. */
import { NetError } from '@netd/sdk/core';
import { compareEventIds, lastEventId } from '@netd/protocol';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { ChainEvent } from '../words/stream.ts';
import { client, nodeUrl, type ReadMeta } from './client.ts';
import { keepFailures } from './keep-failures.ts';
import { openFeed, type TabFeed } from './tab-feed.ts';

/** Maximum number of kept events. Grows when the reader asks for older ones. */
let kept = 400;
/** Number of past events to read at first, and per request for older ones. */
const PAST = 300;
const OLDER = 200;
/** Milliseconds. */
const REFRESH_EVERY = 1_500;

export interface Live {
  /** Events, newest first. */
  events: readonly ChainEvent[];
  height: number;
  ready: boolean;
  hasOlder: boolean;
}

let live: Live = { events: [], height: 0, ready: false, hasOlder: false };
const listeners = new Set<() => void>();
/** Local times in milliseconds at which blocks arrived, by height. */
const arrivals = new Map<number, number>();

export function useLive(): Live {
  return useSyncExternalStore(subscribe, () => live);
}

export function useLiveHeight(): number {
  return useSyncExternalStore(subscribe, () => live.height);
}

/** Returns the height on display. */
export const shownHeight = (): number => live.height;

export const useIsMade = (height: number): boolean =>
  useSyncExternalStore(subscribe, () => live.height >= height);

export const arrivalOf = (height: number): number | null => arrivals.get(height) ?? null;

function sawHeight(height: number): void {
  if (height > live.height) set({ height });
}

let refresh = (): void => undefined;

/** True for failures that end once the node answers again: an answer with a status is final. */
const isOutage = (error: unknown): boolean => !(error instanceof NetError && error.status > 0);

/** Repeats failed reads once the node answers. The shell polls the status of the network. */
function redrawAfterOutage(queries: QueryClient): void {
  queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    if (event.query.queryKey[0] !== '/v1/network') return;
    void queries.refetchQueries({
      type: 'active',
      predicate: ({ state }) => state.status === 'error' && isOutage(state.error),
    });
  });
}

export function follow(queries: QueryClient): void {
  redrawAfterOutage(queries);
  keepFailures(queries);
  refresh = throttled(() => {
    void queries.invalidateQueries({
      predicate: ({ meta }) => (meta as ReadMeta | undefined)?.pace === 'live',
    });
  }, REFRESH_EVERY);
}

let followed: { genesisHash: string; height: number; feed?: TabFeed } | undefined;

/**
 * Opens the feed, or restarts it if the chain changed or a laboratory took blocks back.
 * @returns true if everything on display is obsolete
 */
export function sawNetwork({
  genesisHash,
  height,
  laboratory,
}: {
  genesisHash: string;
  height: number;
  laboratory: boolean;
}): boolean {
  const before = followed;
  // On other chains, a lower height comes from another follower behind the same address.
  const isTakenBack = laboratory && before !== undefined && height < before.height;
  if (before?.genesisHash === genesisHash && !isTakenBack) {
    before.height = Math.max(before.height, height);
    sawHeight(height);
    return false;
  }
  before?.feed?.end();
  forget();
  void keepUp((followed = { genesisHash, height }));
  return before !== undefined;
}

function forget(): void {
  newest = '0.-1';
  queued.length = 0;
  arrivals.clear();
  set({ events: [], height: 0, ready: false, hasOlder: false });
}

async function keepUp(chain: NonNullable<typeof followed>): Promise<void> {
  sawHeight(chain.height);
  let early: ChainEvent[] | null = [];
  const arrive = (event: ChainEvent): void => {
    if (followed !== chain) return;
    arrivals.set(event.height, Date.now());
    take([event]);
    refresh();
  };
  const start = { url: nodeUrl, genesisHash: chain.genesisHash, after: lastEventId(chain.height) };
  const feed = await openFeed(start, (event) => (early ? early.push(event) : arrive(event)));
  if (followed !== chain) return feed.end();
  chain.feed = feed;
  // The shared feed may have started in another tab, so past events end at its last event.
  sawHeight(Number(feed.last.split('.')[0]));
  const past = await recentPast();
  if (followed !== chain) return;
  take(past);
  set({ ready: true });
  const waiting = early;
  early = null;
  for (const event of waiting) arrive(event);
}

async function recentPast(): Promise<ChainEvent[]> {
  try {
    const before = `${live.height + 1}.0`;
    const { events, more } = await client.read('/v1/events', { before, limit: PAST });
    set({ hasOlder: more });
    return events.toReversed();
  } catch {
    // Without them, the page must not say that nothing has happened.
    set({ hasOlder: true });
    return [];
  }
}

let reading = false;

/**
 * Reads events before the oldest kept one.
 * @returns the page, newest first
 * @throws the node's refusal
 */
export async function readOlder(): Promise<readonly ChainEvent[]> {
  if (reading) return [];
  const before = live.events.at(-1)?.id ?? lastEventId(live.height);
  reading = true;
  try {
    const page = await client.read('/v1/events', { before, limit: OLDER });
    kept += page.events.length;
    set({ events: [...live.events, ...page.events], hasOlder: page.more });
    return page.events;
  } finally {
    reading = false;
  }
}

function take(events: readonly ChainEvent[]): void {
  if (events.length === 0) return;
  const fresh = events.filter(({ id }) => compareEventIds(id, newest) > 0).toReversed();
  const [first] = fresh;
  if (!first) return;
  newest = first.id;
  queued.unshift(...fresh);
  flush();
}

let newest = '0.-1';
const queued: ChainEvent[] = [];
const flush = throttled(() => {
  const events = [...queued.splice(0), ...live.events].slice(0, kept);
  const hasOlder = live.hasOlder || events.length === kept;
  set({ events, hasOlder, height: Math.max(live.height, events[0]?.height ?? 0) });
}, 200);

function set(change: Partial<Live>): void {
  live = { ...live, ...change };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Calls at once, then at most once per `period` milliseconds. The last call is never lost. */
function throttled(call: () => void, period: number): () => void {
  let last = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = (): void => {
    timer = undefined;
    last = performance.now();
    call();
  };
  return () => {
    if (timer !== undefined) return;
    const wait = last + period - performance.now();
    if (wait <= 0) run();
    else timer = setTimeout(run, wait);
  };
}
