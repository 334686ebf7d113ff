/** One event stream per node and process, because nodes limit the streams of an address. */
import { isHash, lastEventId, RESET_EVENT, TIMESTAMP_PATTERN } from '@netd/protocol';
import { CoreError } from './agent/core-error.ts';
import { EventStreamParser } from './event-stream-parser.ts';
import { documentOf, networkFrom, refusalFrom, NetError, requestText } from './http.ts';
import { pause } from './pause.ts';
import type { SchemaOf } from './reads.ts';

/** An event as a node sends it. */
export type ChainEvent = {
  /** `height.index`: its place on the chain. */
  id: string;
  height: number;
  /** Hash of the event's block, if the node has it. */
  blockHash?: string;
  /**
   * Time of the event's block, in ISO 8601, if the node has the block. The node's word, not proven:
   * `header.timestamp` of a VerifiedReader's `block(height)` is certified.
   */
  at?: string;
} & SchemaOf<'TypedEvent'>;

/**
 * One event of the chain. Comparing its `type` narrows its `data`. A newer node may send types unknown to
 * this version: the `default` of a `switch` gets them too, with any JSON as `data`.
 */
export type NetEvent = ChainEvent & {
  /** Opaque text that names the chain, this event and its block. Store it; `since` resumes after this event. */
  cursor: string;
};

/** An event with the watched subjects that it concerns, or a reset to an earlier event. */
export type StreamItem = (ChainEvent | Reset) & { watched?: string[] };
interface Reset extends Cursor {
  height: number;
  type: typeof RESET_EVENT;
}

export interface Cursor {
  id: string;
  blockHash?: string | undefined;
}

interface HubReader {
  /** `agent:<id>`, `order:<id>` or `type:<name>`; null for all events. */
  subject: string | null;
  take: (item: StreamItem) => void;
  connected: (genesisHash: string) => void;
  /** Called when the stream has ended. The hub opens it again. */
  disconnected: () => void;
  /** Called if the node refuses the stream. The hub retries it. */
  refused: (error: NetError) => void;
  failed: (error: unknown) => void;
}

const TIME = new RegExp(TIMESTAMP_PATTERN);
export const EVENT_ID = /^(0|[1-9][0-9]{0,14})\.(0|[1-9][0-9]{0,4})$/;
export const RETRY_MILLISECONDS = 2_000;
export const MIN_RETRY_MILLISECONDS = 500;
export const MAX_RETRY_MILLISECONDS = 30_000;
export const REQUEST_TIMEOUT = 30_000;
/** Milliseconds until a silent connection counts as broken. */
export const SILENCE = 45_000;
const MAX_SUBJECTS = 64;
const SUBJECT = /^(agent|order|type):[A-Za-z0-9._-]{1,128}$/;

const hubs = new Map<string, EventHub[]>();

export class EventHub {
  private readonly url: string;
  private readonly key: string;
  private readonly silence: number;
  private readonly readers = new Set<HubReader>();
  private genesisHash: string | null;
  private cursor: Cursor | null = null;
  private connection: Connection | null = null;
  private covered: ReadonlySet<string | null> | null = null;
  private isRefused = false;
  private readonly over = new AbortController();

  private constructor(key: string, url: string, silence: number, genesisHash: string | null) {
    this.key = key;
    this.url = url;
    this.silence = silence;
    this.genesisHash = genesisHash;
  }

  /** Adds a reader, and returns a function that removes it. */
  static join(
    url: string,
    reader: HubReader,
    { silence, genesisHash = null }: { silence: number; genesisHash: string | null | undefined },
  ): () => void {
    const key = `${url} ${silence} ${reader.subject === null ? 'all' : 'watched'}`;
    const open = hubs.get(key) ?? [];
    let hub = open.find((one) => one.isFor(genesisHash) && one.hasRoom(reader.subject));
    if (!hub) {
      hub = new EventHub(key, url, silence, genesisHash);
      hubs.set(key, [...open, hub]);
    }
    hub.genesisHash ??= genesisHash;
    hub.add(reader);
    return () => hub.remove(reader);
  }

  private isFor(genesisHash: string | null): boolean {
    return genesisHash === null || this.genesisHash === null || genesisHash === this.genesisHash;
  }

  private hasRoom(subject: string | null): boolean {
    const all = this.subjects();
    return all.has(subject) || all.size < MAX_SUBJECTS;
  }

  private subjects(): Set<string | null> {
    return new Set([...this.readers].map(({ subject }) => subject));
  }

  private add(reader: HubReader): void {
    this.readers.add(reader);
    if (this.readers.size === 1) void this.run();
    else if (this.covered?.has(reader.subject) === true) reader.connected(this.genesisHash ?? '');
    else this.connection?.renew();
  }

  private remove(reader: HubReader): void {
    this.readers.delete(reader);
    if (this.readers.size === 0) this.end();
  }

  private end(): void {
    const left = (hubs.get(this.key) ?? []).filter((one) => one !== this);
    if (left.length > 0) hubs.set(this.key, left);
    else hubs.delete(this.key);
    this.over.abort();
    this.connection?.close();
  }

  private async run(): Promise<void> {
    let wait = RETRY_MILLISECONDS;
    let isKnown = false;
    while (!this.over.signal.aborted) {
      const connection = new Connection(this.silence);
      this.connection = connection;
      try {
        if (!isKnown) await this.identify();
        isKnown = true;
        wait = await this.listen(connection, wait);
      } catch (error) {
        if (!connection.isRenewed && !this.isStale(error)) {
          if (isFinal(error, this.genesisHash !== null)) return this.fail(error);
          wait = Math.min(2 * wait, MAX_RETRY_MILLISECONDS);
          if (isKnown) this.tellRefusal(error);
        }
      } finally {
        if (this.covered) for (const reader of this.readers) reader.disconnected();
        this.covered = null;
        connection.close();
      }
      if (connection.isRenewed) continue;
      isKnown = false;
      await pause(wait, this.over.signal);
    }
  }

  /** Learns the chain and the head. The stream begins at the head, because readers page through the past. */
  private async identify(): Promise<void> {
    const { url, silence } = this;
    const { height, blockHash, genesisHash } = await networkOf(url, silence, this.genesisHash);
    this.genesisHash = genesisHash;
    this.cursor ??= { id: lastEventId(height), blockHash };
  }

  private async listen(connection: Connection, wait: number): Promise<number> {
    const { id, blockHash } = this.cursor as Cursor;
    const subjects = this.subjects();
    const watch = [...subjects].filter((one) => one !== null && SUBJECT.test(one)).join(',');
    const query = queryOf({ watch: watch || undefined, genesisHash: this.genesisHash, blockHash });
    const parser = new EventStreamParser();
    let pauseAfter = wait;
    for await (const text of connection.open(`${this.url}/v1/events${query}`, id)) {
      if (!this.covered) this.isOpen(subjects);
      for (const message of parser.take(text)) {
        const told = JSON.parse(message.data) as StreamItem;
        this.dispatch(requireEvent({ ...told, id: message.id }));
      }
      const asked = Math.max(parser.retry ?? RETRY_MILLISECONDS, MIN_RETRY_MILLISECONDS);
      pauseAfter = Math.min(asked, MAX_RETRY_MILLISECONDS);
    }
    return pauseAfter;
  }

  private isOpen(subjects: ReadonlySet<string | null>): void {
    this.covered = subjects;
    this.isRefused = false;
    for (const reader of this.readers) {
      if (subjects.has(reader.subject)) reader.connected(this.genesisHash ?? '');
    }
    if ([...this.subjects()].some((subject) => !subjects.has(subject))) this.connection?.renew();
  }

  private dispatch(item: StreamItem): void {
    const { id, blockHash, watched, type } = item;
    this.cursor = { id, blockHash };
    for (const reader of this.readers) {
      const { subject } = reader;
      const isMeant = subject === null || watched === undefined || watched.includes(subject);
      if (isMeant || type === RESET_EVENT) reader.take(item);
    }
  }

  private isStale(error: unknown): boolean {
    const height = staleHeight(error, this.cursor?.id);
    // The node lies: it cannot call a cursor without a hash stale.
    if (height === null || this.cursor?.blockHash === undefined) return false;
    this.dispatch(resetTo(height));
    this.connection?.renew();
    return true;
  }

  private tellRefusal(error: unknown): void {
    if (this.isRefused || !(error instanceof NetError) || error.code === 'HISTORY_NOT_HELD') return;
    this.isRefused = true;
    for (const reader of this.readers) reader.refused(error);
  }

  private fail(error: unknown): void {
    this.end();
    for (const reader of this.readers) reader.failed(error);
  }
}

const resetTo = (height: number): StreamItem => ({
  id: lastEventId(height),
  height,
  type: RESET_EVENT,
});

/**
 * Returns the height to which a stale cursor resets, never ahead of it; null for other errors, and for the
 * cursor of another chain.
 */
export function staleHeight(error: unknown, id = '0.0'): number | null {
  if (!(error instanceof NetError) || error.code !== 'CURSOR_STALE') return null;
  const { height } = (error.problem ?? {}) as { height?: unknown };
  const isBack = Number.isSafeInteger(height) && Number(height) <= Number.parseInt(id, 10);
  return isBack && Number(height) >= 0 ? Number(height) : null;
}

export function requireEvent<Event extends StreamItem>(event: Event): Event {
  const { id, type, data, blockHash, at } = event as Partial<ChainEvent>;
  const isData = typeof data === 'object' && data !== null;
  const isBlock = blockHash === undefined || isHash(blockHash);
  const isTimed = at === undefined || TIME.test(at);
  const isEvent = EVENT_ID.test(String(id)) && typeof type === 'string' && isData;
  if (isEvent && isBlock && isTimed) return event;
  throw new NetError(200, null);
}

/**
 * True for errors that retries cannot mend: refusals by the node itself, not by a proxy. networkOf decides
 * about stale cursors.
 * @param isNode true if a node has answered at this address before
 */
export function isFinal(error: unknown, isNode: boolean): boolean {
  if (!(error instanceof NetError)) return error instanceof CoreError;
  const { status, code, problem } = error;
  if (problem === null) return code === 'NOT_A_NODE' && !isNode;
  return status >= 400 && status < 500 && status !== 429 && code !== 'CURSOR_STALE';
}

interface NetworkHead {
  height: number;
  blockHash: string;
  genesisHash: string;
  laboratory?: boolean;
}

/**
 * Returns the chain and head of a node. If the genesis differs, asks again over new connections, because one
 * wrong answer must not end a feed.
 * @throws AgentError CHAIN_REPLACED if the node serves another chain
 */
export async function networkOf(
  url: string,
  silence: number,
  genesisHash: string | null = null,
): Promise<NetworkHead> {
  const timeout = Math.min(REQUEST_TIMEOUT, silence);
  for (let again = 0; ; again++) {
    const options = { timeout, isLast: again > 0 };
    const network = await networkFrom(
      url,
      async () => documentOf(await requestText(`${url}/v1/network`, options)) as NetworkHead,
    );
    const found: unknown = network.genesisHash;
    if (!isHash(found)) throw new NetError(200, null);
    if (genesisHash === null || found === genesisHash) return network;
    if (again === 2) {
      throw new CoreError('CHAIN_REPLACED', `${url} serves the genesis ${found}`);
    }
    if (again === 1) await pause(MIN_RETRY_MILLISECONDS);
  }
}

export function queryOf(members: Record<string, string | null | undefined>): string {
  const given = Object.entries(members).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

class Connection {
  isRenewed = false;
  private readonly controller = new AbortController();
  private readonly silence: number;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(silence: number) {
    this.silence = silence;
  }

  async *open(feed: string, last: string): AsyncGenerator<string, void, undefined> {
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
      if (done) return;
      yield value;
    }
  }

  renew(): void {
    this.isRenewed = true;
    this.close();
  }

  close(): void {
    clearTimeout(this.timer);
    this.controller.abort();
  }

  private listen(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.controller.abort(), this.silence);
  }
}
