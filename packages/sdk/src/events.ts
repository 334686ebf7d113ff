/** The event feed, live: server-sent events (HTML Living Standard section 9.2) over fetch, in Node and in browsers. */
import { lastEventId, RESET_EVENT } from '@netd/protocol';
import { requireHeight } from './chain-tip.ts';
import { documentOf, normalizeBaseUrl, NetError, refusalFrom, requestText } from './http.ts';
import { EventStreamParser } from './event-stream-parser.ts';
import { pause } from './pause.ts';

/** One event of the chain. */
export interface NetEvent {
  /** `height.index`: pass it as `after` to go on behind it. */
  id: string;
  height: number;
  type: string;
  data: Record<string, unknown>;
}

export interface EventsOptions {
  /** The id of the last event seen. Without it, what happens from now on; `0.0` begins at genesis. */
  after?: string;
  /** Events that name this actor. */
  agent?: string;
  /** Events that name this work order. */
  order?: string;
  /** Events of this type. */
  type?: string;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Milliseconds of silence after which a connection counts as broken; default 45,000, three heartbeats. */
  silence?: number;
}

const RETRY_MILLISECONDS = 2_000;
/** However soon the stream wants us back. */
const MIN_RETRY_MILLISECONDS = 500;
const MAX_RETRY_MILLISECONDS = 30_000;
const HEAD_TIMEOUT = 30_000;

/**
 * Every event from `after` on, once and in order, until the signal aborts. A connection that breaks is taken up again
 * behind the last event that was handed out, for as long as it takes; a node that is busy is asked again later.
 * @throws NetError where the node refuses the request itself (a 4xx other than 429), TypeError for what is no address
 */
export async function* streamEvents(
  url: string,
  options: EventsOptions = {},
): AsyncGenerator<NetEvent, void, undefined> {
  const { agent, order, type, signal } = options;
  const query = new URLSearchParams(
    Object.entries({ agent, order, type }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const feed = new URL(`${normalizeBaseUrl(url)}/v1/events?${query.toString()}`);
  let last = options.after;
  let wait = RETRY_MILLISECONDS;
  for (;;) {
    if (isOver(signal)) return;
    const connection = new Connection(options.silence ?? 45_000, signal);
    try {
      // "Now" is one height, so that nothing is missed where the first connection breaks before its first event.
      last ??= await now(url);
      const parser = new EventStreamParser();
      for await (const text of connection.open(feed, last)) {
        for (const { id, data } of parser.take(text)) {
          if (isOver(signal)) return;
          const event = { id, ...(JSON.parse(data) as Omit<NetEvent, 'id'>) };
          // A laboratory has taken blocks back: it goes on behind those that it kept.
          if (event.type !== RESET_EVENT) yield event;
          last = id;
        }
        const asked = Math.max(parser.retry ?? RETRY_MILLISECONDS, MIN_RETRY_MILLISECONDS);
        wait = Math.min(asked, MAX_RETRY_MILLISECONDS);
      }
    } catch (error) {
      const final = error instanceof NetError && error.status < 500 && error.status !== 429;
      if (final) throw error;
      wait = Math.min(2 * wait, MAX_RETRY_MILLISECONDS);
    } finally {
      connection.close();
    }
    await pause(wait, signal);
  }
}

/** The id behind everything that has happened. */
async function now(url: string): Promise<string> {
  const text = await requestText(`${normalizeBaseUrl(url)}/v1/network`, { timeout: HEAD_TIMEOUT });
  return lastEventId(requireHeight((documentOf(text) as { height?: unknown }).height));
}

/** One connection, which ends where it is silent for too long. */
class Connection {
  private readonly controller = new AbortController();
  private readonly silence: number;
  private readonly signal: AbortSignal | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly end = (): void => this.controller.abort();

  constructor(silence: number, signal?: AbortSignal) {
    this.silence = silence;
    this.signal = signal;
    signal?.addEventListener('abort', this.end);
  }

  /** The stream as text, piece by piece. */
  async *open(feed: URL, last: string): AsyncGenerator<string, void, undefined> {
    this.listen();
    const headers = { accept: 'text/event-stream', 'last-event-id': last };
    const { signal } = this.controller;
    const response = await fetch(feed, { headers, signal, redirect: 'manual' });
    if (!response.ok) throw await refusalFrom(response);
    if (!response.body) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      this.listen();
      const { done, value } = await reader.read();
      // What the reader of the events does meanwhile is no silence of the node.
      clearTimeout(this.timer);
      if (done) return;
      yield value;
    }
  }

  close(): void {
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.end);
    this.end();
  }

  private listen(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.end, this.silence);
  }
}

/** A call, because the compiler takes a property for unchanged while the reader of the events had its turn. */
const isOver = (signal?: AbortSignal): boolean => signal?.aborted === true;
