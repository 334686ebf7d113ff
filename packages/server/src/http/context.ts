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

/** As in a URL: lower case, IPv6 in brackets, no port. Loopback and the public URL's host are always allowed. */
export interface AllowedNames {
  hosts: readonly string[];
  origins: readonly string[];
}

export interface CardSigner {
  keyId: string;
  /** SPKI PEM, Ed25519. */
  publicKey: string;
  sign: (bytes: Uint8Array) => Uint8Array;
}

export interface ServerOptions {
  /** Documents use relative links; cards and manifests use this. */
  publicUrl: string;
  /** All requests come from this machine: no rate limits. */
  loopback: boolean;
  believesProxies?: boolean;
  /** Registrations and first draws per address, unless on loopback. */
  newcomers?: Partial<NewcomerRates>;
  /** Per address, to /mcp and to /a2a/v1 each; also on loopback. */
  discoveryPerMinute?: number;
  metricsElsewhere?: boolean;
  allowed?: AllowedNames;
  /** A URI; without it there is no security.txt. */
  securityContact?: string;
  cardSigner?: CardSigner;
  traces?: RequestTraces;
  forwardWrites?: boolean;
  /** For laboratory calls and unsigned writes; without it all are refused. */
  controlToken?: string;
}

/** A value, or a function of a snapshot. Large documents must be a ReadQuery. */
type Source =
  Readonly<Record<string, unknown>> | Text | File | ReadQuery | ((snapshot: Snapshot) => unknown);

interface Rendered {
  document: EncodedDocument;
  height: number;
}

interface PendingRender {
  rendered: Promise<Rendered>;
  waiting: number;
  abandoned: AbortController;
}

/** For large reads on the main thread: most refusals happen within it. */
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
  private readonly pending = new Map<string, PendingRender>();
  /** The lowest limit that exceeded the budget, by query name. */
  private readonly large = new Map<string, number>();
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

  async figures(): Promise<{ contentType: string; text: string }> {
    const { metricsRegistry } = await this.metricsModule();
    this.registry ??= metricsRegistry(this);
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }

  async close(): Promise<void> {
    this.later.end();
    await Promise.all([this.readers.close(), this.tracer.close()]);
  }

  /**
   * Closes the snapshot afterwards.
   * @param budget see HistoryReads
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

  /** Blocks can be read from disk before the chain reports them, and a reader must not see an older one afterwards. */
  get head(): Tip {
    const { chain, store } = this.node;
    if (chain.height >= store.shownHeight) return chain.head;
    return this.read(({ block }) => tipOf(block.header));
  }

  get height(): number {
    return Math.max(this.node.chain.height, this.node.store.shownHeight);
  }

  /**
   * From the cache if its policy allows. The key is the route with its known parameters.
   * @param source a function or ReadQuery runs only on a cache miss
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

  /** By literal URL, before any other work. False on a miss. */
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
   * Canonical JSON, from the cache if possible.
   * @throws ApiError as the document's render does, OVERLOADED if too many large reads queue
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
   * From the cache under its URL if possible.
   * @throws ApiError as the read does, OVERLOADED if too many large reads queue
   */
  async renderAt(url: string, query: ReadQuery): Promise<string> {
    const answer = this.renderQuery(url, query, byHeight, readShare());
    if (!('abandoned' in answer)) return answer.document.bytes.toString();
    answer.waiting++;
    return (await answer.rendered).document.bytes.toString();
  }

  get waitingReads(): number {
    return this.readers.waiting;
  }

  cacheFigures(): { latest: CacheFigures; lasting: CacheFigures } {
    return this.cache.figures();
  }

  /** Plus one if a follower has halted: earlier documents of this height don't show that. */
  private get version(): number {
    return this.node.status.halted ? this.height + 1 : this.height;
  }

  private kept(url: string, policy: CachePolicy, make: () => unknown): Rendered {
    const kept = this.cache.find(url, this.version);
    if (kept) return { document: kept.document, height: this.version };
    const document = new EncodedDocument(encodeContent(make()));
    // Rendering may have used a newer block.
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
   * Here if that is cheap, otherwise in a reader thread.
   * @param share for the queue of reader threads
   */
  private renderQuery(
    url: string,
    query: ReadQuery,
    policy: CachePolicy,
    share: string,
  ): Rendered | PendingRender {
    const pending = this.pending.get(this.renderKey(url));
    if (pending && !pending.abandoned.signal.aborted) return pending;
    const { name, limit } = query;
    const render = (snapshot: Snapshot): unknown => renderQuery(snapshot, query);
    // A read that has exceeded this limit before goes to a thread at once.
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
        // Otherwise its blocks were taken back, so it is only for earlier requests.
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

export interface ServerPart {
  routes: readonly Routes[];
  errorFormats: readonly ErrorFormat[];
}
