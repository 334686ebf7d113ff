/**
 * Read documents as bytes: built once per height, canonical, with a strong ETag per encoding, compressed once when
 * somebody asks for it. Those that never change are kept whatever the height, the most recently read ones.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { canonicalize, sha256Hex } from '@netd/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** From here on a client would wait longer for a better compression than for the bytes it saves. */
const LARGE_BYTES = 256 * 1024;

const compressors = {
  br: (bytes: Buffer) => {
    const quality = bytes.length < LARGE_BYTES ? 4 : 1;
    return promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality },
    });
  },
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: bytes.length < LARGE_BYTES ? 6 : 1 }),
};
type Encoding = keyof typeof compressors;

/** Shorter documents are not worth compressing. */
const COMPRESS_FROM_BYTES = 1_024;
/** Of uncompressed documents, those of a height and the settled ones each; compressed forms come on top and are smaller. */
const CACHE_BYTES = 32 * 1024 * 1024;

interface CachedDocument {
  bytes: Buffer;
  /** Its media type. */
  type: string;
  etag: string;
  encoded: Partial<Record<Encoding, Promise<Buffer>>>;
  /** Compressed bodies that are ready. */
  ready: Partial<Record<Encoding, Buffer>>;
  /** What every answer with this document carries, from the first one on; null before it. */
  headers: Record<string, string> | null;
  /** The header lines of a whole answer in each form, names and values in turn. */
  wire: Partial<Record<Encoding | 'identity', string[]>>;
}

export class DocumentCache {
  private height = -1;
  private size = 0;
  private readonly documents = new Map<string, CachedDocument>();
  /** Documents that never change, the least recently read first. */
  private readonly settled = new Map<string, CachedDocument>();
  private settledSize = 0;

  /** The document under a key at a height, if it is there. */
  find(key: string, height: number): CachedDocument | undefined {
    const document = height === this.height ? this.documents.get(key) : undefined;
    return document ?? this.findSettled(key);
  }

  /** Keeps a document that is the same at every height from now on. */
  settle(key: string, document: CachedDocument): void {
    if (this.settled.has(key)) return;
    this.settled.set(key, document);
    this.settledSize += document.bytes.length + key.length;
    for (const [oldest, { bytes }] of this.settled) {
      if (this.settledSize <= CACHE_BYTES) break;
      this.settled.delete(oldest);
      this.settledSize -= bytes.length + oldest.length;
    }
  }

  private findSettled(key: string): CachedDocument | undefined {
    const document = this.settled.get(key);
    if (!document) return undefined;
    this.settled.delete(key);
    this.settled.set(key, document);
    return document;
  }

  /** The document under a key at a height, built if it is not there yet. */
  get(key: string, height: number, build: () => unknown): CachedDocument {
    if (height !== this.height || this.size > CACHE_BYTES) {
      this.documents.clear();
      this.size = 0;
      this.height = height;
    }
    const known = this.documents.get(key);
    if (known) return known;
    const document = encodeDocument(build());
    this.documents.set(key, document);
    this.size += document.bytes.length + key.length;
    return document;
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Headers that belong to one answer, not to the document. */
const OWN_HEADERS = new Set(['x-request-id', 'etag', 'content-encoding', 'content-length']);

/** A JSON document in its canonical form. */
export function encodeDocument(value: unknown): CachedDocument {
  return encodeJson(canonicalize(value));
}

/** Canonical JSON that somebody has written already. */
export function encodeJson(text: string): CachedDocument {
  return encodeText(text, JSON_TYPE);
}

/** A text of any other media type. */
export function encodeText(text: string, type: string): CachedDocument {
  const bytes = Buffer.from(text);
  return {
    bytes,
    type,
    etag: sha256Hex(bytes).slice(0, 32),
    encoded: {},
    ready: {},
    headers: null,
    wire: {},
  };
}

/** Sends a document in the encoding the client likes best, or 304 where it has it. */
export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: CachedDocument,
  cacheControl: string,
): Promise<FastifyReply> {
  const { encoding, etag } = representation(request, document);
  reply
    .header('etag', etag)
    .header('cache-control', cacheControl)
    .header('vary', 'Accept, Accept-Encoding, Origin');
  if (isFresh(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.header('content-type', document.type);
  document.headers ??= Object.fromEntries(
    Object.entries(reply.getHeaders())
      .filter(([name]) => !OWN_HEADERS.has(name))
      .map(([name, value]) => [name, String(value)]),
  );
  if (!encoding) return reply.send(document.bytes);
  document.encoded[encoding] ??= compressors[encoding](document.bytes);
  document.ready[encoding] = await document.encoded[encoding];
  return reply.header('content-encoding', encoding).send(document.ready[encoding]);
}

/**
 * Answers again with a document that has been sent before, without another look at the request than its conditions:
 * what was sent for this URL at this height is what would be sent now.
 * @returns false where the document is not ready to be sent like this
 */
export function resendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: CachedDocument,
): boolean {
  const { encoding, etag } = representation(request, document);
  const body = encoding ? document.ready[encoding] : document.bytes;
  if (!document.headers || !body) return false;
  reply.hijack();
  const id = ['x-request-id', request.id];
  if (isFresh(request.headers['if-none-match'], etag)) {
    const { 'content-type': _, ...headers } = document.headers;
    reply.raw.writeHead(304, [...Object.entries({ ...headers, etag }).flat(), ...id]).end();
    return true;
  }
  const form = encoding ?? 'identity';
  document.wire[form] ??= Object.entries({
    ...document.headers,
    etag,
    'content-length': String(body.length),
    ...(encoding ? { 'content-encoding': encoding } : {}),
  }).flat();
  reply.raw.writeHead(200, [...document.wire[form], ...id]).end(body);
  return true;
}

/** Which of its forms the client gets, and that form's strong tag. */
function representation(
  request: FastifyRequest,
  document: CachedDocument,
): { encoding: Encoding | null; etag: string } {
  const encoding =
    document.bytes.length < COMPRESS_FROM_BYTES
      ? null
      : chooseEncoding(request.headers['accept-encoding']);
  return { encoding, etag: encoding ? `"${document.etag}-${encoding}"` : `"${document.etag}"` };
}

/** RFC 9110 section 13.1.2: a list of tags, weak ones compare alike. */
function isFresh(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** RFC 9110 section 12.5.3, for the two codings there are: the higher weight wins, br where they are equal. */
function chooseEncoding(header: string | undefined): Encoding | null {
  if (header === undefined) return null;
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.find((text) => text.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    weights.set(name, Number.isFinite(weight) ? weight : 0);
  }
  const weightOf = (name: Encoding): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip';
  return weightOf(best) > (weights.get('identity') ?? 0) ? best : null;
}
