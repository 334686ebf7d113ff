/** What every route file gets: the node, how it is reached, and the one way to answer. */
import type { Snapshot } from '../store/snapshot.ts';
import type { DataDir } from '../data-dir.ts';
import type { NetNode } from '../node.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from '@netd/protocol/type';
import type { ReadDocument } from '../documents/shared/read-document.ts';
import { writeDocument, writeJson } from './answer.ts';
import { byHeight, type CachePolicy } from './cache-policy.ts';
import { canonicalUrl, knownParameters, type RouteParameters } from './canonical-url.ts';
import { DocumentCache, type CacheFigures } from './document-cache.ts';
import { EncodedDocument, JSON_TYPE, type File, type Text } from './encoded-document.ts';
import type { ErrorFormat } from './error-format.ts';
import type { HttpLimits } from './limits.ts';
import type { SlowReaders } from './slow-readers.ts';

/** Host names as in a URL: lower case, IPv6 in brackets, no port. Loopback and the public URL's own come on top. */
export interface AllowedNames {
  hosts: readonly string[];
  origins: readonly string[];
}

export interface ServerOptions {
  /** How the world reaches this node; documents use relative links, cards and manifests this. */
  publicUrl: string;
  /** Whether requests come from this machine only: then no rate limits. */
  loopback: boolean;
  /** Requests per minute and address to /mcp, and to /a2a/v1; also on loopback. */
  discoveryPerMinute?: number;
  /** Names beside loopback and the public URL that /mcp answers to, and that pages may call it from. */
  allowed?: AllowedNames;
  /** Other limits than those of the table. */
  limits?: Partial<HttpLimits>;
}

/** What the server keeps for its routes. */
interface ServerState {
  limits: HttpLimits;
  slowReaders: SlowReaders;
}

/** A JSON value, a Text or a File, or what makes one from a snapshot. */
type Source = Readonly<Record<string, unknown>> | Text | File | ((snapshot: Snapshot) => unknown);

export class HttpContext {
  readonly node: NetNode<DataDir>;
  readonly options: ServerOptions;
  readonly limits: HttpLimits;
  readonly slowReaders: SlowReaders;
  private readonly cache = new DocumentCache();

  constructor(
    node: NetNode<DataDir>,
    options: ServerOptions,
    { limits, slowReaders }: ServerState,
  ) {
    this.node = node;
    this.options = options;
    this.limits = limits;
    this.slowReaders = slowReaders;
  }

  /** Runs a read on a snapshot that is closed afterwards. */
  read<Result>(work: (snapshot: Snapshot) => Result): Result {
    const snapshot = this.node.store.snapshot();
    try {
      return work(snapshot);
    } finally {
      snapshot.close();
    }
  }

  /**
   * Answers with a document. What its policy keeps is found again by the route and the parameters that its schemas know.
   * @param source a function runs only where nothing was kept
   */
  send(
    reply: FastifyReply,
    source: Source,
    policy: CachePolicy,
  ): FastifyReply | Promise<FastifyReply> {
    const make = (): unknown => (typeof source === 'function' ? this.read(source) : source);
    if (policy.cacheControl === 'no-store') {
      writeJson(reply, JSON_TYPE, JSON.stringify(make()), policy);
      return reply;
    }
    if (policy.keep === 'nothing') return this.write(reply, new EncodedDocument(make()), policy);
    const { request } = reply;
    const parameters = { ...(request.query as object), ...(request.params as object) };
    const url = canonicalUrl(parametersOf(request), parameters);
    return this.write(reply, this.kept(url, policy, make), policy, url);
  }

  /** Answers a GET with what is kept at its very URL, before anybody looks at anything else; false where nothing is. */
  resend(request: FastifyRequest, reply: FastifyReply): boolean {
    const { accept, 'if-match': ifMatch } = request.headers;
    if (request.method !== 'GET' || ifMatch !== undefined) return false;
    if (accept?.includes('event-stream') === true) return false;
    const kept = this.cache.find(request.url, this.node.chain.height);
    const ready = kept?.document.readyFor(request.headers['accept-encoding']);
    if (!kept || !ready) return false;
    writeDocument(request, reply, ready, kept.policy);
    return true;
  }

  /**
   * The canonical JSON of a read document, from the cache of the URL that answers with it.
   * @throws ApiError as the document's render does
   */
  render(document: ReadDocument, given: Record<string, unknown>): string {
    const { route, path, query } = document;
    const parameters = { ...given, ...knownParameters(query, given) };
    const url = canonicalUrl({ route, path, query }, parameters);
    const make = (): unknown => this.read((snapshot) => document.render(snapshot, parameters));
    return this.kept(url, byHeight, make).bytes.toString();
  }

  /** How much the caches hold. */
  cacheFigures(): { latest: CacheFigures; lasting: CacheFigures } {
    return this.cache.figures();
  }

  private kept(url: string, policy: CachePolicy, make: () => unknown): EncodedDocument {
    const { height } = this.node.chain;
    const kept = this.cache.find(url, height);
    if (kept) return kept.document;
    const document = new EncodedDocument(make());
    this.cache.keep(url, height, { document, policy });
    return document;
  }

  private async write(
    reply: FastifyReply,
    document: EncodedDocument,
    policy: CachePolicy,
    url?: string,
  ): Promise<FastifyReply> {
    const { height } = this.node.chain;
    const before = document.size;
    const form = await document.representationFor(reply.request.headers['accept-encoding']);
    if (url !== undefined && document.size > before) {
      this.cache.keep(url, height, { document, policy });
    }
    writeDocument(reply.request, reply, form, policy);
    return reply;
  }
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
