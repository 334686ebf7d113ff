/**
 * A document with a strong tag per encoding (RFC 9110 section 8.8.3). Each encoding is compressed once, on
 * demand.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { canonicalize, sha256Hex, utf8Bytes } from '@netd/protocol';

/** Larger documents get faster compression. */
const LARGE_BYTES = 256 * 1024;
const COMPRESS_FROM_BYTES = 1_024;

const COMPRESSED_TYPES = new Set(['application/gzip', 'application/zip']);

const compressors = {
  br: (bytes: Buffer) => {
    const quality = bytes.length < LARGE_BYTES ? 4 : 1;
    return promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality },
    });
  },
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: bytes.length < LARGE_BYTES ? 6 : 1 }),
};
type Compression = keyof typeof compressors;
type Encoding = Compression | 'identity';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';

export class Text {
  readonly type: string;
  readonly text: string;

  constructor(type: string, text: string) {
    this.type = type;
    this.text = text;
  }
}

export class File {
  readonly type: string;
  readonly bytes: Uint8Array;

  constructor(type: string, bytes: Uint8Array) {
    this.type = type;
    this.bytes = bytes;
  }
}

export interface EncodedContent {
  type: string;
  bytes: Uint8Array;
  hash: string;
  inParts?: boolean;
}

export function encodeContent(content: unknown): EncodedContent {
  const { type, bytes } = fileOf(content);
  const hash = sha256Hex(bytes).slice(0, 32);
  return { type, bytes, hash, inParts: content instanceof File };
}

export interface Representation {
  body: Buffer;
  etag: string;
  inParts: boolean;
  /** Header names and values in turn. */
  headers: string[];
}

export class EncodedDocument {
  readonly bytes: Buffer;
  private readonly type: string;
  private readonly hash: string;
  private readonly inParts: boolean;
  private readonly ready = new Map<Encoding, Representation>();
  private readonly compressing = new Map<Compression, Promise<Representation>>();

  constructor({ type, bytes, hash, inParts = false }: EncodedContent, brotli?: Buffer) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.type = type;
    this.hash = hash;
    this.inParts = inParts;
    this.ready.set('identity', this.represent('identity', this.bytes));
    if (brotli) this.ready.set('br', this.represent('br', brotli));
  }

  get size(): number {
    return [...this.ready.values()].reduce((sum, { body }) => sum + body.length, 0);
  }

  readyFor(acceptEncoding: string | undefined): Representation | undefined {
    return this.ready.get(this.encodingFor(acceptEncoding));
  }

  async representationFor(acceptEncoding: string | undefined): Promise<Representation> {
    const encoding = this.encodingFor(acceptEncoding);
    const ready = this.ready.get(encoding);
    if (ready || encoding === 'identity') return ready ?? this.represent(encoding, this.bytes);
    let compressing = this.compressing.get(encoding);
    if (!compressing) {
      compressing = compressors[encoding](this.bytes).then((body) => {
        const made = this.represent(encoding, body);
        this.ready.set(encoding, made);
        this.compressing.delete(encoding);
        return made;
      });
      this.compressing.set(encoding, compressing);
    }
    return compressing;
  }

  private encodingFor(acceptEncoding: string | undefined): Encoding {
    if (acceptEncoding === undefined || this.bytes.length < COMPRESS_FROM_BYTES) return 'identity';
    if (COMPRESSED_TYPES.has(this.type)) return 'identity';
    return chooseEncoding(acceptEncoding);
  }

  private represent(encoding: Encoding, body: Buffer): Representation {
    const etag = encoding === 'identity' ? `"${this.hash}"` : `"${this.hash}-${encoding}"`;
    const headers = ['content-type', this.type];
    if (encoding !== 'identity') headers.push('content-encoding', encoding);
    if (this.inParts) headers.push('accept-ranges', 'bytes');
    return { body, etag, headers, inParts: this.inParts };
  }
}

function fileOf(content: unknown): Pick<File, 'type' | 'bytes'> {
  if (content instanceof File) return content;
  const { type, text } =
    content instanceof Text ? content : new Text(JSON_TYPE, canonicalize(content));
  return { type, bytes: utf8Bytes(text) };
}

/** Returns the encoding of highest weight, br in a tie (RFC 9110 section 12.5.3). */
export function chooseEncoding(header: string): Encoding {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.find((text) => text.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    weights.set(name, Number.isFinite(weight) ? weight : 0);
  }
  const weightOf = (name: Encoding): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip';
  return weightOf(best) > (weights.get('identity') ?? 0) ? best : 'identity';
}

/** Compares tags weakly (RFC 9110 section 13.1.2). */
export function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
