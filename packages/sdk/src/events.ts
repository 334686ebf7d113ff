/** The live event feed: pages for the past, then server-sent events (HTML Living Standard section 9.2). */
import { compareEventIds, lastEventId, RESET_EVENT } from '@netd/protocol';
import { refuseArgument } from './agent/core-error.ts';
import { BOUNDS } from './bounds.ts';
import { cursorOf, readCursor } from './event-cursor.ts';
import {
  EVENT_ID,
  EventHub,
  isFinal,
  MAX_RETRY_MILLISECONDS,
  MIN_RETRY_MILLISECONDS,
  networkOf,
  queryOf,
  REQUEST_TIMEOUT,
  requireEvent,
  RETRY_MILLISECONDS,
  SILENCE,
  staleHeight,
  type ChainEvent,
  type Cursor,
  type NetEvent,
  type StreamItem,
} from './event-hub.ts';
import type { UnlistedEventType } from './generated/openapi.ts';
import { documentOf, NetError, requestText, requireBaseUrl } from './http.ts';
import { requireOptions, type OptionNames } from './option-names.ts';
import { MAX_TIMEOUT, pause } from './pause.ts';

export type { NetEvent } from './event-hub.ts';

/** Types of events that this version knows. */
export type EventType = Exclude<NetEvent['type'], UnlistedEventType>;

/** Start of an event stream, and filters for its events. */
export interface EventsOptions {
  /** Id of the last event seen; default now. `0.0` begins at genesis. */
  after?: string | undefined;
  /**
   * The `cursor` of the last event that you handled, in place of `after` and `genesisHash`. The feed resumes
   * after it, in a new process too, and goes back if the chain has another block there. If the node lacks the
   * blocks since then, the feed ends with `HISTORY_NOT_HELD`.
   */
  since?: string | undefined;
  /** Chain to follow; default the first that the node serves. */
  genesisHash?: string | undefined;
  /** Only events that name this agent. */
  agent?: string | undefined;
  /** Only events of this order. */
  order?: string | undefined;
  /** Only events of this type. */
  type?: EventType | undefined;
  /** Ends the feed. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until the feed ends; default never. */
  timeout?: number | undefined;
  /** Milliseconds until a silent connection counts as broken; default 45,000, three heartbeats. */
  silence?: number | undefined;
  /** Called if the node refuses the stream, for example because too many are open. The stream is retried. */
  refused?: ((error: NetError) => void) | undefined;
  /** Called with true once the stream is open, and with false when it ends. It is opened again. */
  streaming?: ((isOpen: boolean) => void) | undefined;
}

const EVENTS_OPTIONS: OptionNames<EventsOptions> = {
  after: true,
  since: true,
  genesisHash: true,
  agent: true,
  order: true,
  type: true,
  ...BOUNDS,
  silence: 'timeout',
  refused: true,
  streaming: true,
};

/** Queued events per reader. A reader further behind reads pages instead. */
const MAX_QUEUE = 10_000;

/**
 * Yields every event after `after` or `since`, once and in order, until the signal aborts. Readers of one node share a
 * stream. If a laboratory goes back, or blocks were replaced, the feed continues from the kept blocks.
 * @throws NetError if the node itself refuses the request (a 4xx other than 429, not a proxy's page), or
 *   lacks the blocks since the cursor; AgentError CHAIN_REPLACED, URL_INVALID, OPTION_UNKNOWN, ARGUMENT_INVALID
 */
export function streamEvents(
  url: string,
  options: EventsOptions = {},
): AsyncGenerator<NetEvent, void, undefined> {
  const start = startOf(options);
  return eventsOf(requireBaseUrl(url), options, start);
}

async function* eventsOf(
  base: string,
  options: EventsOptions,
  start: Start,
): AsyncGenerator<NetEvent, void, undefined> {
  if (options.signal?.aborted === true) return;
  const reader = new Reader(base, options, start);
  const { timeout = Infinity } = options;
  const timer = timeout <= MAX_TIMEOUT ? setTimeout(() => reader.leave(), timeout) : undefined;
  try {
    yield* reader.events();
  } finally {
    clearTimeout(timer);
    reader.leave();
  }
}

interface Start {
  after?: string | undefined;
  blockHash?: string | undefined;
  genesisHash?: string | undefined;
}

function startOf(options: EventsOptions): Start {
  requireOptions('events', options, EVENTS_OPTIONS);
  const { after, genesisHash, since } = options;
  if (since !== undefined) {
    if (after === undefined && genesisHash === undefined) return readCursor(since);
    return refuseArgument(
      'since',
      'since: it takes the place of after and genesisHash; leave them out',
    );
  }
  if (after === undefined || EVENT_ID.test(after)) return { after, genesisHash };
  const detail = `after: ${JSON.stringify(after)} is no id of an event, such as 12.0; 0.0 begins at genesis`;
  return refuseArgument('after', detail);
}

class Reader {
  /** The most selective filter, which the hub applies. This class applies the others. */
  readonly subject: string | null;
  private readonly url: string;
  private readonly options: EventsOptions;
  private readonly from: Start;
  private readonly over = new AbortController();
  private readonly end = (): void => this.over.abort();
  private readonly ended: Promise<void>;
  private genesisHash: string | undefined;
  private readonly silence: number;
  private queue: StreamItem[] = [];
  private isBehind = true;
  private isConnected = false;
  private failure: { reason: unknown } | null = null;
  private wake: () => void = () => {};
  private quit: () => void = () => {};

  constructor(url: string, options: EventsOptions, from: Start) {
    const { agent, order, type, signal } = options;
    this.url = url;
    this.options = options;
    this.from = from;
    this.subject =
      agent !== undefined
        ? `agent:${agent}`
        : order !== undefined
          ? `order:${order}`
          : type !== undefined
            ? `type:${type}`
            : null;
    this.genesisHash = from.genesisHash;
    this.silence = options.silence ?? SILENCE;
    signal?.addEventListener('abort', this.end);
    this.ended = new Promise((resolve) => {
      this.over.signal.addEventListener('abort', () => {
        // Stop here too, because next() may not be called again.
        this.quit();
        this.wake();
        resolve();
      });
    });
  }

  async *events(): AsyncGenerator<NetEvent, void, undefined> {
    let cursor = await this.start();
    if (cursor === null) return;
    const { silence, from } = this;
    this.quit = EventHub.join(this.url, this, { silence, genesisHash: from.genesisHash });
    while (await this.isDue()) {
      if (this.isBehind) {
        this.isBehind = false;
        for await (const [event, next] of this.past(cursor)) {
          if (event) yield this.resumable(event);
          cursor = next;
        }
        continue;
      }
      const item = this.queue.shift();
      if (!item || this.isOver) continue;
      const { watched: _, ...event } = item;
      if (event.type === RESET_EVENT) {
        if (compareEventIds(cursor.id, event.id) > 0) cursor = event;
      } else if (compareEventIds(event.id, cursor.id) > 0 && this.matches(event)) {
        yield this.resumable(event);
        cursor = event;
      }
    }
  }

  leave(): void {
    this.options.signal?.removeEventListener('abort', this.end);
    this.end();
    this.quit();
  }

  take(item: StreamItem): void {
    if (this.queue.length >= MAX_QUEUE) {
      this.queue = [];
      this.isBehind = true;
    }
    if (this.isConnected) this.queue.push(item);
    this.wake();
  }

  connected(genesisHash: string): void {
    this.genesisHash = genesisHash;
    this.isConnected = true;
    this.options.streaming?.(true);
    this.wake();
  }

  disconnected(): void {
    this.options.streaming?.(false);
  }

  refused(error: NetError): void {
    this.options.refused?.(error);
  }

  failed(reason: unknown): void {
    this.failure = { reason };
    this.wake();
  }

  /** Both ways of an event, by page and by stream, follow the connection that names the chain. */
  private resumable(event: ChainEvent): NetEvent {
    return { ...event, cursor: cursorOf(this.genesisHash ?? '', event) };
  }

  /** Waiting in silence would hide that the events since the cursor are elsewhere. */
  private isGap(error: unknown): boolean {
    const isUnheld = error instanceof NetError && error.code === 'HISTORY_NOT_HELD';
    return isUnheld && this.options.since !== undefined;
  }

  private get isOver(): boolean {
    return this.over.signal.aborted;
  }

  /**
   * Waits for the next item. Returns false once the feed is over.
   * @throws the error that ended the stream
   */
  private async isDue(): Promise<boolean> {
    for (;;) {
      if (this.isOver) return false;
      if (this.queue.length > 0 && !this.isBehind) return true;
      if (this.failure) throw this.failure.reason;
      if (this.isBehind && this.isConnected) return true;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Fixes "now" to one height, so that no event is missed if the first connection breaks. */
  private async start(): Promise<Cursor | null> {
    const { after, blockHash } = this.from;
    if (after !== undefined) return { id: after, blockHash };
    const head = await this.persist(() => networkOf(this.url, this.silence));
    return head && { id: lastEventId(head.height), blockHash: head.blockHash };
  }

  private async *past(from: Cursor): AsyncGenerator<[ChainEvent | null, Cursor], void, undefined> {
    let cursor = from;
    for (let more = true; more;) {
      const page = await this.persist(() => this.page(cursor));
      if (page === null) return;
      for (const event of page.events) {
        if (this.isOver) return;
        const { id, height, type, data, blockHash, at } = event;
        const known = { ...(blockHash ? { blockHash } : {}), ...(at ? { at } : {}) };
        const told = { id, height, type, data, ...known };
        yield [told as ChainEvent, { id, blockHash }];
      }
      cursor = { id: page.next, blockHash: page.nextBlockHash };
      yield [null, cursor];
      ({ more } = page);
    }
  }

  private async page({ id, blockHash }: Cursor): Promise<Page> {
    const { agent, order, type } = this.options;
    const { genesisHash } = this;
    const query = queryOf({ after: id, agent, order, type, genesisHash, blockHash });
    try {
      const timeout = Math.min(REQUEST_TIMEOUT, this.silence);
      const text = await requestText(`${this.url}/v1/events${query}`, { timeout });
      const page = documentOf(text) as Page;
      let last = id;
      for (const event of page.events) {
        if (!(compareEventIds(requireEvent(event).id, last) > 0)) throw new NetError(200, null);
        last = event.id;
      }
      // A cursor that goes back would make the loop endless.
      const isOn = EVENT_ID.test(page.next) && (!page.more || compareEventIds(page.next, id) > 0);
      if (!isOn) throw new NetError(200, null);
      return page;
    } catch (error) {
      const height = staleHeight(error, id);
      if (height !== null && blockHash !== undefined) {
        // Pause, because a lying node could send this error after every page.
        await pause(MIN_RETRY_MILLISECONDS, this.over.signal);
        return { events: [], next: lastEventId(height), more: true };
      }
      if (error instanceof NetError && error.code === 'CURSOR_STALE') {
        await networkOf(this.url, this.silence, genesisHash);
      }
      throw error;
    }
  }

  private matches({ type, data }: ChainEvent): boolean {
    const { options } = this;
    if (options.type !== undefined && options.type !== (type as string)) return false;
    return options.order === undefined || ('orderId' in data && data.orderId === options.order);
  }

  private async persist<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
    for (let wait = RETRY_MILLISECONDS; ; wait = Math.min(2 * wait, MAX_RETRY_MILLISECONDS)) {
      if (this.isOver) return null;
      try {
        return await Promise.race([ask(), this.ended.then(() => null)]);
      } catch (error) {
        if (isFinal(error, this.genesisHash !== undefined) || this.isGap(error)) throw error;
      }
      await pause(wait, this.over.signal);
    }
  }
}

interface Page {
  events: ChainEvent[];
  next: string;
  more: boolean;
  nextBlockHash?: string;
}
