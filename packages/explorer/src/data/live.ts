/**
 * The newest events of the chain, for all of the page. After an event, the documents on display are read again, all together and no
 * more often than a reader can follow.
 */
import { compareEventIds, lastEventId } from '@netd/protocol';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { ChainEvent } from '../words/stream.ts';
import { client, nodeUrl, type ReadMeta } from './client.ts';
import { openFeed, type TabFeed } from './tab-feed.ts';

/** Events that are kept: more than any page shows, and what the reader has asked for beyond them. */
let kept = 400;
/** Events that are read of the past: at first, and whenever the reader asks for older ones. */
const PAST = 100;
const OLDER = 200;
/** Milliseconds between two refreshes of what is shown. */
const REFRESH_EVERY = 1_500;

export interface Live {
  /** Newest first. */
  events: readonly ChainEvent[];
  /** The highest block that anything has told of. */
  height: number;
  /** Whether the newest of the past has been read. */
  ready: boolean;
  /** Whether there are events before these. */
  hasOlder: boolean;
}

let live: Live = { events: [], height: 0, ready: false, hasOlder: false };
const listeners = new Set<() => void>();
/** When events of this page came, by the clock of this machine: they are of now. */
const arrivals = new Map<number, number>();

export function useLive(): Live {
  return useSyncExternalStore(subscribe, () => live);
}

export function useLiveHeight(): number {
  return useSyncExternalStore(subscribe, () => live.height);
}

/** Whether a block was made, as far as this page was told. */
export const useIsMade = (height: number): boolean =>
  useSyncExternalStore(subscribe, () => live.height >= height);

/** When a block was seen to arrive; null for one that was there before. */
export const arrivalOf = (height: number): number | null => arrivals.get(height) ?? null;

function sawHeight(height: number): void {
  if (height > live.height) set({ height });
}

let refresh = (): void => undefined;

/** Refreshes what these queries show when something happens. */
export function follow(queries: QueryClient): void {
  refresh = throttled(() => {
    void queries.invalidateQueries({
      predicate: ({ meta }) => (meta as ReadMeta | undefined)?.pace === 'live',
    });
  }, REFRESH_EVERY);
}

/** What the node last said of itself, and the feed of that chain. */
let followed: { genesisHash: string; height: number; feed?: TabFeed } | undefined;

/**
 * Takes what the node says of itself: opens the feed, or begins again if the node now serves another chain, or if a laboratory has
 * taken blocks back.
 * @returns true if what was shown before belongs to a past that is gone
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
  // Only a laboratory takes blocks back. Elsewhere a lower height comes from another follower behind the same address.
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
  /** Events that arrive before the past has been read; null from then on. */
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
  // Another tab may have followed the chain for longer: the past ends where the feed begins.
  sawHeight(Number(feed.last.split('.')[0]));
  const past = await recentPast();
  if (followed !== chain) return;
  take(past);
  set({ ready: true });
  const waiting = early;
  early = null;
  for (const event of waiting) arrive(event);
}

/** The newest events that are there, oldest first: one page, however many there are. */
async function recentPast(): Promise<ChainEvent[]> {
  try {
    const before = `${live.height + 1}.0`;
    const { events, more } = await client.read('/v1/events', { before, limit: PAST });
    set({ hasOlder: more });
    return events.toReversed();
  } catch {
    // Of a follower that has none of them, for example: what happens from now on is shown all the same.
    return [];
  }
}

let reading = false;

/**
 * Reads a page of what happened before the oldest event that is kept.
 * @returns it, newest first
 * @throws what the node refuses with
 */
export async function readOlder(): Promise<readonly ChainEvent[]> {
  const oldest = live.events.at(-1);
  if (oldest === undefined || reading) return [];
  reading = true;
  try {
    const page = await client.read('/v1/events', { before: oldest.id, limit: OLDER });
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

/** The id of the newest event that came, shown or not. */
let newest = '0.-1';
const queued: ChainEvent[] = [];
/** A catching-up stream brings many at once: they are shown together. */
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

/** Calls at once, and then at most once in `period` milliseconds; the last call is never lost. */
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
