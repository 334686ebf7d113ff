/**
 * Shares one stream among all tabs. Over HTTP/1.1, browsers open at most six connections to an origin, so a
 * seventh tab with its own stream would never load.
 */
import type { ChainEvent } from '../words/stream.ts';
import { Feed, type FeedStart } from './feed.ts';

export type ToFeedWorker = { kind: 'join'; start: FeedStart } | { kind: 'leave' | 'renew' };
/** `joined` comes first, then every event after `last`. */
export type FromFeedWorker =
  { kind: 'joined'; last: string } | { kind: 'event'; event: ChainEvent };

/** Genesis hashes by tab: a tab that has not noticed yet that the chain changed must get no event of the new one. */
const tabs = new Map<MessagePort, string>();
let feed: { genesisHash: string; feed: Feed } | undefined;

function post(tab: MessagePort, message: FromFeedWorker): void {
  // Messages to a port have no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tab.postMessage(message);
}

function join(tab: MessagePort, start: FeedStart): void {
  if (feed?.genesisHash !== start.genesisHash) {
    feed?.feed.end();
    const { genesisHash } = start;
    const toAll = (event: ChainEvent): void => {
      for (const [each, chain] of tabs)
        if (chain === genesisHash) post(each, { kind: 'event', event });
    };
    feed = { genesisHash, feed: new Feed(start, toAll) };
  }
  tabs.set(tab, start.genesisHash);
  post(tab, { kind: 'joined', last: feed.feed.last });
}

function leave(tab: MessagePort): void {
  tabs.delete(tab);
  if (tabs.size > 0) return;
  feed?.feed.end();
  feed = undefined;
}

addEventListener('connect', (event) => {
  const [tab] = (event as MessageEvent).ports;
  if (!tab) return;
  tab.addEventListener('message', ({ data }: MessageEvent<ToFeedWorker>) => {
    if (data.kind === 'join') join(tab, data.start);
    else if (data.kind === 'leave') leave(tab);
    else feed?.feed.renew();
  });
  tab.start();
});
