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
import { CardImages } from './card-images.ts';
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

/**
 * Allowed names as in a URL: lower case, IPv6 in brackets, no port. Loopback and the public URL's host are
 * always allowed.
 */
export interface AllowedNames {
  hosts: readonly string[];
  origins: readonly string[];
}

export interface CardSigner {
  keyId: string;
  publicKey: string;
  sign: (bytes: Uint8Array) => Uint8Array;
}

/** The demo that the link of `netd dev` starts. */
export interface Demo {
  /** Starts it if the token is right and unused, and returns true then. */
  start: (token: string) => boolean;
  readonly progress: DemoProgress;
}

export interface DemoProgress {
  state: 'waiting' | 'running' | 'ended' | 'failed';
  /** A sentence if it failed, otherwise null. */
  reason: string | null;
}

export interface ServerOptions {
  /** Address for cards and manifests. Documents use relative links. */
  publicUrl: string;
  /** True if all requests come from this machine, which has no rate limits. */
  loopback: boolean;
  believesProxies?: boolean;
  /** Registrations and first draws per address; without limit on loopback. */
  newcomers?: Partial<NewcomerRates>;
  /** Requests per address to each of /mcp and /a2a; limited even on loopback. */
  discoveryPerMinute?: number;
  metricsElsewhere?: boolean;
  allowed?: AllowedNames;
  securityContact?: string;
  cardSigner?: CardSigner;
  traces?: RequestTraces;
  forwardWrites?: boolean;
  demo?: Demo;
  /** Returns the origins of the stores that this process runs. Pages may ask them on loopback. */
  ownStores?: () => readonly string[];
  /** Secret for laboratory calls and unsigned writes. Without it all of them are refused. */
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

/** Work budget of a large read on the main thread. Most refusals need less. */
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
  readonly cards: CardImages;
  private readonly readers: ReaderPool;
  private readonly pending = new Map<string, PendingRender>();
  private readonly large = new Map<string, number>();
  private returns = 0;
  private historyFrom = 0;

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
    this.newcomers = new NewcomerLimits(() => options.newcomers);
    this.readers = new ReaderPool(node.store.path, limits);
    this.tracer = new Tracer(node.store.path, node.checkpoints.forkPoint, options);
    this.cards = new CardImages(options.loopback);
    node.chain.onReturn(() => this.forgetAnswers());
  }

  async figures(): Promise<{ contentType: string; text: string }> {
    const { metricsRegistry } = await this.metricsModule();
    this.registry ??= metricsRegistry(this);
    const { contentType } = this.registry;
    const own = await this.registry.metrics();
    const { engineBlocks } = this.node;
    if (!engineBlocks) return { contentType, text: own };
    // An engine that is restarting has no metrics, and netd's own must be served then too.
    const engine = await engineBlocks.metrics().catch(() => '');
    const answers = `# HELP netd_engine_answers 1 if CometBFT serves its metrics.\n# TYPE netd_engine_answers gauge\nnetd_engine_answers ${Number(engine !== '')}\n`;
    return { contentType, text: `${own}\n${answers}${engine}` };
  }

  async close(): Promise<void> {
    this.later.end();
    await Promise.all([this.readers.close(), this.tracer.close(), this.cards.close()]);
  }

  /**
   * Runs the work with a snapshot and closes it.
   * @param budget see HistoryReads
   * @throws ApiError HISTORY_NOT_HELD, and the work's errors
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
   * The disk may have a block before the chain reports it. A reader that saw it must not get an older one
   * later.
   */
  get head(): Tip {
    const { chain, store } = this.node;
    if (chain.height >= store.shownHeight) return chain.head;
    return this.read(({ block }) => tipOf(block.header));
  }

  get height(): number {
    return Math.max(this.node.chain.height, this.node.store.shownHeight);
  }

  /**
   * Sends a document, from the cache if its policy allows.
   * @param source evaluated only on a cache miss
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

  /** Answers from the cache by the literal URL, before any other work. Returns false on a miss. */
  resend(request: FastifyRequest, reply: FastifyReply): boolean {
    const { accept, 'if-match': ifMatch, range } = request.headers;
    if (request.method !== 'GET' || ifMatch !== undefined || range !== undefined) return false;
    if (accept?.includes('event-stream') === true) return false;
    this.noteHistory();
    const kept = this.cache.find(request.url, this.version);
    const ready = kept?.document.readyFor(request.headers['accept-encoding']);
    if (!kept || !ready) return false;
    writeDocument(request, reply, ready, kept.policy);
    return true;
  }

  async render(document: ReadDocument, given: Record<string, unknown>): Promise<string> {
    const { name, route, path, query } = document;
    const parameters = { ...given, ...knownParameters(query, given) };
    return this.renderAt(
      canonicalUrl({ route, path, query }, parameters),
      new ReadQuery(name, parameters),
    );
  }

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

  /** A halted follower counts as one block higher, because cached documents don't show the halt. */
  private get version(): number {
    return this.node.status.halted ? this.height + 1 : this.height;
  }

  private forgetAnswers(): void {
    this.cache.clear();
    this.returns += 1;
  }

  /** Drops cached answers after a backfill, because their records lack the times of the added blocks. */
  private noteHistory(): void {
    const { from } = this.node.store.history();
    if (from === this.historyFrom) return;
    this.historyFrom = from;
    this.forgetAnswers();
  }

  private kept(url: string, policy: CachePolicy, make: () => unknown): Rendered {
    this.noteHistory();
    const kept = this.cache.find(url, this.version);
    if (kept) return { document: kept.document, height: this.version };
    const document = new EncodedDocument(encodeContent(make()));
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
   * Renders on the main thread if that is cheap, otherwise in a reader thread.
   * @param share in the queue of reader threads
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
        // If a laboratory reverted blocks meanwhile, or a backfill added some, only requests from before that may
        // get the result.
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
