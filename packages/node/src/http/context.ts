/** What every route file gets. */
import { canonicalize } from '@netd/protocol';
import type { Snapshot } from '../store/snapshot.ts';
import type { NetNode } from '../node.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  DocumentCache,
  encodeDocument,
  encodeJson,
  JSON_TYPE,
  encodeText,
  resendDocument,
  sendDocument,
} from './document-cache.ts';
import type { AllowedNames } from '../discovery/access.ts';
import type { ReadDocument } from '../documents/read-document.ts';

export interface ServerOptions {
  /** How the world reaches this node; documents use relative links, cards and manifests this. */
  publicUrl: string;
  /** Whether requests come from this machine only: then no rate limits. */
  loopback: boolean;
  /** Requests per minute and address to /mcp, and to /a2a/v1; also on loopback. */
  discoveryPerMinute?: number;
  /** Names beside loopback and the public URL that /mcp answers to, and that pages may call it from. */
  allowed?: AllowedNames;
}

/** A change with every block, so only revalidation; shared caches may keep it. */
const REVALIDATE = 'public, no-cache';
const IMMUTABLE = 'public, max-age=31536000, immutable';

export class HttpContext {
  readonly node: NetNode;
  readonly options: ServerOptions;
  private readonly cache = new DocumentCache();

  constructor(node: NetNode, options: ServerOptions) {
    this.node = node;
    this.options = options;
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

  /** Answers with a document that is a function of the snapshot and the URL. */
  async document(
    request: FastifyRequest,
    reply: FastifyReply,
    build: (snapshot: Snapshot) => unknown,
  ): Promise<FastifyReply> {
    const document = this.cache.get(request.url, this.node.chain.height, () => this.read(build));
    return sendDocument(request, reply, document, REVALIDATE);
  }

  /**
   * The canonical JSON of a read document, from the cache of the URL that answers with it.
   * @throws Refusal as the document's render does
   */
  rendered(document: ReadDocument, parameters: Record<string, unknown>): string {
    const url = urlOf(document, parameters);
    const build = (): unknown =>
      this.read((snapshot) => document.render(snapshot, { ...parameters }));
    return this.cache.get(url, this.node.chain.height, build).bytes.toString();
  }

  /** Answers a GET from the cache; false where the route has to. */
  resend(request: FastifyRequest, reply: FastifyReply): boolean {
    if (request.method !== 'GET' || request.headers.accept?.includes('event-stream')) return false;
    const document = this.cache.find(request.url, this.node.chain.height);
    return document !== undefined && resendDocument(request, reply, document);
  }

  /** Answers with a document that may change between two blocks. */
  async changing(
    request: FastifyRequest,
    reply: FastifyReply,
    value: unknown,
  ): Promise<FastifyReply> {
    return sendDocument(request, reply, encodeDocument(value), REVALIDATE);
  }

  /** A route handler for a text that is the same for as long as the node runs; made when first asked for. */
  fixedText(
    type: string,
    make: () => string,
    cacheControl = REVALIDATE,
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
    let document: ReturnType<typeof encodeText> | null = null;
    return (request, reply) => {
      document ??= encodeText(make(), type);
      this.cache.settle(request.url, document);
      return sendDocument(request, reply, document, cacheControl);
    };
  }

  /** The same for a JSON document. */
  fixedDocument(
    make: () => unknown,
    cacheControl = REVALIDATE,
  ): ReturnType<HttpContext['fixedText']> {
    return this.fixedText(JSON_TYPE, () => canonicalize(make()), cacheControl);
  }

  /**
   * Answers with a document whose URL names its content: it never changes.
   * @param keep false for what goes away in the end, however true it stays
   */
  async immutable(
    request: FastifyRequest,
    reply: FastifyReply,
    value: unknown,
    keep = true,
  ): Promise<FastifyReply> {
    const document = encodeDocument(value);
    if (keep) this.cache.settle(request.url, document);
    return sendDocument(request, reply, document, IMMUTABLE);
  }

  /**
   * Answers with canonical JSON that never changes on this chain. Caches must ask all the same: a devnet that is started
   * anew has another document under the URL.
   */
  async settled(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
    const document = encodeJson(text);
    this.cache.settle(request.url, document);
    return sendDocument(request, reply, document, REVALIDATE);
  }

  /** Answers with facts of this very moment and node. */
  local(reply: FastifyReply, value: object, status = 200): FastifyReply {
    return reply
      .code(status)
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(value));
  }
}

export type Routes = (app: FastifyInstance, context: HttpContext) => void;

/** Where HTTP answers with a document. */
function urlOf({ route, path }: ReadDocument, parameters: Record<string, unknown>): string {
  const text = (name: string): string => encodeURIComponent(String(parameters[name]));
  const at = route.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => text(name));
  const query = Object.keys(parameters)
    .filter((name) => !Object.hasOwn(path.properties, name))
    .map((name) => `${name}=${text(name)}`);
  return query.length === 0 ? at : `${at}?${query.join('&')}`;
}
