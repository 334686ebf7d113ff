/**
 * Receives events from the worker that all tabs share. Without it, the tab opens its own stream while
 * visible.
 */
import type { ChainEvent } from '../words/stream.ts';
import { Feed, type FeedStart } from './feed.ts';
import type { FromFeedWorker, ToFeedWorker } from './feed-worker.ts';
// The build turns it into an address.
// oxlint-disable-next-line import/default
import feedUrl from './feed-worker.ts?worker&url';
import { workerScript } from './worker-script.ts';

/**
 * A tab hidden for this many milliseconds reconnects, because a machine that slept may not notice a broken
 * connection.
 */
const ASLEEP = 30_000;
/** Milliseconds to wait for the worker before the tab opens its own stream. */
const WORKER_START = 5_000;

export interface TabFeed {
  last: string;
  end: () => void;
}

export async function openFeed(
  start: FeedStart,
  onEvent: (event: ChainEvent) => void,
): Promise<TabFeed> {
  if (typeof SharedWorker !== 'function') return openOwnFeed(start, onEvent);
  return (await joinSharedFeed(start, onEvent)) ?? openOwnFeed(start, onEvent);
}

async function joinSharedFeed(
  start: FeedStart,
  onEvent: (event: ChainEvent) => void,
): Promise<TabFeed | null> {
  const { port } = new SharedWorker(workerScript(feedUrl), { type: 'module', name: start.url });
  const send = (message: ToFeedWorker): void => port.postMessage(message);
  const gone = new AbortController();
  const { signal } = gone;
  const end = (): void => {
    send({ kind: 'leave' });
    gone.abort();
    port.close();
  };
  const last = await new Promise<string | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), WORKER_START);
    const take = ({ data }: MessageEvent<FromFeedWorker>): void => {
      if (data.kind === 'event') return onEvent(data.event);
      clearTimeout(timer);
      resolve(data.last);
    };
    port.addEventListener('message', take, { signal });
    port.start();
    send({ kind: 'join', start });
  });
  if (last === null) {
    end();
    return null;
  }
  onceAwake(() => send({ kind: 'renew' }), signal);
  // A closed port does not notify the worker. A page restored from the back/forward cache must join again.
  addEventListener('pagehide', () => send({ kind: 'leave' }), { signal });
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload(), { signal });
  return { last, end };
}

function openOwnFeed(start: FeedStart, onEvent: (event: ChainEvent) => void): TabFeed {
  let { after } = start;
  let feed: Feed | undefined;
  const gone = new AbortController();
  const follow = (): void => {
    if (document.hidden) {
      after = feed?.last ?? after;
      feed?.end();
      feed = undefined;
    } else {
      feed ??= new Feed({ ...start, after }, onEvent);
    }
  };
  document.addEventListener('visibilitychange', follow, { signal: gone.signal });
  follow();
  return {
    last: after,
    end: () => {
      gone.abort();
      feed?.end();
    },
  };
}

function onceAwake(call: () => void, signal: AbortSignal): void {
  let hiddenAt = document.hidden ? Date.now() : Infinity;
  const look = (): void => {
    if (document.hidden) hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > ASLEEP) call();
    else hiddenAt = Infinity;
  };
  document.addEventListener('visibilitychange', look, { signal });
}
