/** What every route file gets: the node, how it is reached, and the one way to answer. */
import { addressShare } from '@netd/client-limits';

import {
  NewcomerLimits,
  type NewcomerRates,
  ReadBudgetError,
  refuseMissingHistory,
  type Snapshot,
  type Tip,
  tipOf,
} from '@netd/engine';
import type { ServedNode } from './served-node.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from '@netd/protocol/type';
import type { ReadDocument } from '@netd/documents';
import { writeDocument, writeJson } from './answer.ts';
import { byHeight, type CachePolicy } from './cache-policy.ts';
import { canonicalUrl, knownParameters, type RouteParameters } from './canonical-url.ts';
import { DocumentCache, type CacheFigures } from './document-cache.ts';
import {
  encodeContent,
  EncodedDocument,
  JSON_TYPE,
  type File,
  type Text,
} from './encoded-document.ts';
import type { ErrorFormat } from './error-format.ts';
import type { HttpListener } from './http-listener.ts';
import { LaterModules } from './later-modules.ts';
import type { HttpLimits } from './limits.ts';
import { ReadAbandonedError, ReaderPool } from './reader-pool.ts';
import { ReadQuery, renderQuery } from './read-query.ts';
import { readShare } from './read-share.ts';
import type { SlowReaders } from './slow-readers.ts';
import { Streams } from './streams.ts';
import type { RequestTraces } from '../telemetry/request-traces.ts';
import { Tracer } from './tracer.ts';

/** Host names as in a URL: lower case, IPv6 in brackets, no port. Loopback and the public URL's own come on top. */
export interface AllowedNames {
  hosts: readonly string[];
  origins: readonly string[];
}

/** A key that anyone can find in the chain. */
export interface CardSigner {
  /** The validator's id. */
  keyId: string;
  /** SPKI PEM of an Ed25519 key. */
  publicKey: string;
  sign: (bytes: Uint8Array) => Uint8Array;
}

export interface ServerOptions {
  /** How the world reaches this node; documents use relative links, cards and manifests this. */
  publicUrl: string;
  /** Whether requests come from this machine only: then no rate limits. */
  loopback: boolean;
  /** True if X-Forwarded-For of some proxy is believed. */
  believesProxies?: boolean;
  /** What an address may register and draw for the first time, unless on loopback. */
  newcomers?: Partial<NewcomerRates>;
  /** Requests per minute and address to /mcp, and to /a2a/v1; also on loopback. */
  discoveryPerMinute?: number;
  /** Whether /metrics has a listener of its own, and is not served here. */
  metricsElsewhere?: boolean;
  /** Names beside loopback and the public URL that /mcp answers to, and that pages may call it from. */
  allowed?: AllowedNames;
  /** A URI, as security.txt names it; without one there is no security.txt. */
  securityContact?: string;
  /** Signs the Agent Card, where this node has a key that its chain knows. */
  cardSigner?: CardSigner;
  /** Follows requests and their envelopes. */
  traces?: RequestTraces;
  /** True if a follower hands writes on instead of refusing them. */
  forwardWrites?: boolean;
  /** The secret for laboratory calls and unsigned writes; without one all of them are refused. */
  controlToken?: string;
}

/** A JSON value, a Text or a File, or what makes one from a snapshot; what may be large is a ReadQuery. */
type Source =
  Readonly<Record<string, unknown>> | Text | File | ReadQuery | ((snapshot: Snapshot) => unknown);

/** A rendered document, and the height that it is true at. */
interface Rendered {
  document: EncodedDocument;
  height: number;
}

/** What a reader thread renders now. */
interface PendingRender {
  rendered: Promise<Rendered>;
  /** How many wait for it; where none does any more, it need not be begun. */
  waiting: number;
  abandoned: AbortController;
}

/**
 * Characters that even a read known to be large may take here: most of what is to be refused, a cursor of another list above
 * all, is found out within them, and waits for no reader thread.
 */
const FIRST_LOOK = 4_000;

export class HttpContext {
  readonly node: ServedNode;
  readonly options: ServerOptions;
  readonly limits: HttpLimits;
  readonly slowReaders: SlowReaders;
  readonly streams: Streams;
  readonly newcomers: NewcomerLimits;
  readonly later = new LaterModules();
  private readonly metricsModule = this.later.add(() => import('../metrics-registry.ts'));
  private registry: ReturnType<
    (typeof import('../metrics-registry.ts'))['metricsRegistry']
  > | null = null;
  private readonly cache = new DocumentCache();
  readonly tracer: Tracer;
  private readonly readers: ReaderPool;
  /** What readers render now, by height and URL: requests for the same wait for the same. */
  private readonly pending = new Map<string, PendingRender>();
  /** By the names of queries that took more than their budget: the least limit with which they did. */
  private readonly large = new Map<string, number>();
  /** How often blocks were taken back. */
  private returns = 0;

  constructor(
    node: ServedNode,
    options: ServerOptions,
    { limits, slowReaders }: Pick<HttpListener, 'limits' | 'slowReaders'>,
  ) {
    this.node = node;
    this.options = options;
    this.limits = limits;
    this.slowReaders = slowReaders;
    this.streams = new Streams(limits);
    this.newcomers = new NewcomerLimits(options.newcomers);
    this.readers = new ReaderPool(node.store.path, limits);
    this.tracer = new Tracer(node.store.path, node.checkpoints.forkPoint, options);
    node.chain.onReturn(() => {
      this.cache.clear();
      this.returns += 1;
    });
  }

  /** What Prometheus is told. */
  async figures(): Promise<{ contentType: string; text: string }> {
    const { metricsRegistry } = await this.metricsModule();
    this.registry ??= metricsRegistry(this);
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }

  /** Ends the threads that read. */
  async close(): Promise<void> {
    this.later.end();
    await Promise.all([this.readers.close(), this.tracer.close()]);
  }

  /**
   * Runs a read on a snapshot that is closed afterwards.
   * @param budget what it may take, see Snapshot
   * @throws ApiError HISTORY_NOT_HELD, and what the read throws
   */
  read<Result>(work: (snapshot: Snapshot) => Result, budget?: number): Result {
    const snapshot = this.node.store.snapshot(budget);
    try {
      return refuseMissingHistory(() => work(snapshot));
    } finally {
      snapshot.close();
    }
  }

  /**
   * The newest block that a reader may have seen. A block can be read from the moment it is on disk, and that is before the
   * chain hears of it: a reader that has seen it is not to be shown the one before.
   */
  get head(): Tip {
    const { chain, store } = this.node;
    if (chain.height >= store.shownHeight) return chain.head;
    return this.read(({ block }) => tipOf(block.header));
  }

  /** Its height. */
  get height(): number {
    return Math.max(this.node.chain.height, this.node.store.shownHeight);
  }

  /**
   * Answers with a document. What its policy keeps is found again by the route and the parameters that its schemas know.
   * @param source a function or a ReadQuery runs only where nothing was kept
   */
  send(
    reply: FastifyReply,
    source: Source,
    policy: CachePolicy,
  ): FastifyReply | Promise<FastifyReply> {
    if (source instanceof ReadQuery) return this.sendQuery(reply, source, policy);
    const make = (): unknown => (typeof source === 'function' ? this.read(source) : source);
    if (policy.cacheControl === 'no-store') {
      writeJson(reply, JSON_TYPE, JSON.stringify(make()), policy);
      return reply;
    }
    if (policy.keep === 'nothing') {
      const document = new EncodedDocument(encodeContent(make()));
      return this.write(reply, { document, height: this.height }, policy);
    }
    const url = urlOf(reply.request);
    return this.write(reply, this.kept(url, policy, make), policy, url);
  }

  /** Answers a GET with what is kept at its very URL, before anything else is looked at; false where nothing is. */
  resend(request: FastifyRequest, reply: FastifyReply): boolean {
    const { accept, 'if-match': ifMatch, range } = request.headers;
    if (request.method !== 'GET' || ifMatch !== undefined || range !== undefined) return false;
    if (accept?.includes('event-stream') === true) return false;
    const kept = this.cache.find(request.url, this.version);
    const ready = kept?.document.readyFor(request.headers['accept-encoding']);
    if (!kept || !ready) return false;
    writeDocument(request, reply, ready, kept.policy);
    return true;
  }

  /**
   * The canonical JSON of a read document, from the cache of the URL that answers with it.
   * @throws ApiError as the document's render does, OVERLOADED where too many large reads wait
   */
  async render(document: ReadDocument, given: Record<string, unknown>): Promise<string> {
    const { name, route, path, query } = document;
    const parameters = { ...given, ...knownParameters(query, given) };
    return this.renderAt(
      canonicalUrl({ route, path, query }, parameters),
      new ReadQuery(name, parameters),
    );
  }

  /**
   * The JSON of a read, from the cache where it is kept under a URL of its own.
   * @throws ApiError as the read does, OVERLOADED where too many large reads wait
   */
  async renderAt(url: string, query: ReadQuery): Promise<string> {
    const answer = this.renderQuery(url, query, byHeight, readShare());
    if (!('abandoned' in answer)) return answer.document.bytes.toString();
    answer.waiting++;
    return (await answer.rendered).document.bytes.toString();
  }

  /** Large reads that have not been answered. */
  get waitingReads(): number {
    return this.readers.waiting;
  }

  /** How much the caches hold. */
  cacheFigures(): { latest: CacheFigures; lasting: CacheFigures } {
    return this.cache.figures();
  }

  /**
   * What the cache takes for the height: one more where a follower has halted. No block comes after that, and what was made
   * before does not tell of it.
   */
  private get version(): number {
    return this.node.status.halted ? this.height + 1 : this.height;
  }

  private kept(url: string, policy: CachePolicy, make: () => unknown): Rendered {
    const kept = this.cache.find(url, this.version);
    if (kept) return { document: kept.document, height: this.version };
    const document = new EncodedDocument(encodeContent(make()));
    // Only now: it may be of a block that was not seen before.
    const height = this.version;
    this.cache.keep(url, height, { document, policy });
    return { document, height };
  }

  private async sendQuery(
    reply: FastifyReply,
    query: ReadQuery,
    policy: CachePolicy,
  ): Promise<FastifyReply> {
    const url = urlOf(reply.request);
    const answer = this.renderQuery(url, query, policy, addressShare(reply.request.ip));
    if (!('abandoned' in answer)) return this.write(reply, answer, policy, url);
    answer.waiting++;
    // Where the client hung up before this, one answer is rendered in vain.
    reply.raw.once('close', () => {
      if (--answer.waiting === 0) answer.abandoned.abort();
    });
    try {
      return await this.write(reply, await answer.rendered, policy, url);
    } catch (error) {
      if (!(error instanceof ReadAbandonedError)) throw error;
      return reply.hijack();
    }
  }

  /**
   * Renders a document here where that takes little, and leaves it to a reader thread where it turns out to take more.
   * @param share whose turn it counts as there
   */
  private renderQuery(
    url: string,
    query: ReadQuery,
    policy: CachePolicy,
    share: string,
  ): Rendered | PendingRender {
    // Requests for what a reader thread is rendering wait for the same.
    const pending = this.pending.get(this.renderKey(url));
    if (pending && !pending.abandoned.signal.aborted) return pending;
    const { name, limit } = query;
    const render = (snapshot: Snapshot): unknown => renderQuery(snapshot, query);
    // What was too much is not tried again for every page of it.
    const large = this.large.get(name) ?? Infinity;
    const { lightRead } = this.limits;
    const budget = limit < large ? lightRead : Math.min(lightRead, FIRST_LOOK);
    try {
      return this.kept(url, policy, () => this.read(render, budget));
    } catch (error) {
      if (!(error instanceof ReadBudgetError)) throw error;
      this.large.set(name, Math.min(limit, large));
      return this.renderInReader(url, query, policy, share);
    }
  }

  private renderKey(url: string): string {
    return `${this.returns} ${this.version} ${url}`;
  }

  private renderInReader(
    url: string,
    { name, parameters }: ReadQuery,
    policy: CachePolicy,
    share: string,
  ): PendingRender {
    const key = this.renderKey(url);
    const abandoned = new AbortController();
    const { returns } = this;
    const request = { name, parameters, height: this.height };
    const rendered = this.readers
      .read(request, { share, signal: abandoned.signal })
      .then(({ height, content }) => {
        // What was read of blocks that were taken back meanwhile is for those alone who asked before.
        const isCurrent = returns === this.returns;
        if (isCurrent) this.node.store.noteShown(height);
        if (content.bytes.length < this.limits.lightRead / 4) this.large.delete(name);
        const document = new EncodedDocument(content);
        if (isCurrent) this.cache.keep(url, height, { document, policy });
        return { document, height };
      })
      .finally(() => {
        if (this.pending.get(key) === pending) this.pending.delete(key);
      });
    const pending: PendingRender = { rendered, waiting: 0, abandoned };
    this.pending.set(key, pending);
    return pending;
  }

  private async write(
    reply: FastifyReply,
    { document, height }: Rendered,
    policy: CachePolicy,
    url?: string,
  ): Promise<FastifyReply> {
    const before = document.size;
    const form = await document.representationFor(reply.request.headers['accept-encoding']);
    if (url !== undefined && document.size > before) {
      this.cache.keep(url, height, { document, policy });
    }
    writeDocument(reply.request, reply, form, policy);
    return reply;
  }
}

/** The one URL of the document that is asked for. */
function urlOf(request: FastifyRequest): string {
  const given = { ...(request.query as object), ...(request.params as object) };
  return canonicalUrl(parametersOf(request), given);
}

function parametersOf({ routeOptions }: FastifyRequest): RouteParameters {
  const { url = '', schema } = routeOptions;
  return {
    route: url,
    path: schema?.params as TObject | undefined,
    query: schema?.querystring as TObject | undefined,
  };
}

export type Routes = (app: FastifyInstance, context: HttpContext) => void;

/** What another room serves over HTTP: its routes, and the errors of the protocols it speaks there. */
export interface ServerPart {
  routes: readonly Routes[];
  errorFormats: readonly ErrorFormat[];
}
