/**
 * What happens on the chain, as it happens: one stream for all of the page. The events kept are the newest; documents that are shown
 * are read again soon after something happened, all together and not more often than a reader can follow.
 */
import { lastEventId } from '@netd/protocol';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { compareEventIds, type ChainEvent } from '../words/stream.ts';
import { client, type ReadMeta } from './client.ts';

/** Events that are kept: more than any page shows, and what the reader has asked for beyond them. */
let kept = 400;
/** Events that are read of the past: at first, and whenever the reader asks for older ones. */
const PAST = 100;
const OLDER = 200;
/** Milliseconds between two refreshes of what is shown. */
const REFRESH_EVERY = 1_500;
/** Milliseconds out of sight after which the stream is opened anew: a sleeping tab may not hear that it broke. */
const ASLEEP = 30_000;

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

export function sawHeight(height: number): void {
  if (height > live.height) set({ height });
}

/** @returns what ends it */
export function follow(queries: QueryClient): () => void {
  const stop = new AbortController();
  const refresh = throttled(() => {
    void queries.invalidateQueries({
      predicate: ({ meta }) => (meta as ReadMeta | undefined)?.pace === 'live',
    });
  }, REFRESH_EVERY);
  void keepUp(stop.signal, refresh);
  return () => stop.abort();
}

async function keepUp(signal: AbortSignal, refresh: () => void): Promise<void> {
  // The page asks for the height anyway: until it is known there is nothing to look back from.
  await known(() => live.height > 0);
  const past = await recentPast();
  if (signal.aborted) return;
  take(past);
  set({ ready: true });
  while (!signal.aborted) {
    const connection = new AbortController();
    const end = (): void => connection.abort();
    signal.addEventListener('abort', end);
    const forget = whenAwake(end);
    try {
      const after = newest === '0.-1' ? lastEventId(live.height) : newest;
      for await (const event of client.events({ after, signal: connection.signal })) {
        arrivals.set(event.height, Date.now());
        take([event]);
        refresh();
      }
    } catch {
      // The node refuses the stream itself, as when too many are open: what is shown is read again all the same, if not at once.
      await new Promise((resolve) => setTimeout(resolve, 5_000));
    } finally {
      signal.removeEventListener('abort', end);
      forget();
      connection.abort();
    }
  }
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

function known(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const end = subscribe(look);
    function look(): void {
      if (!isSo()) return;
      end();
      resolve();
    }
    look();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Calls when the page is looked at again after a sleep. */
function whenAwake(call: () => void): () => void {
  let hiddenAt = document.hidden ? Date.now() : Infinity;
  const look = (): void => {
    if (document.hidden) hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > ASLEEP) call();
    else hiddenAt = Infinity;
  };
  document.addEventListener('visibilitychange', look);
  return () => document.removeEventListener('visibilitychange', look);
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
