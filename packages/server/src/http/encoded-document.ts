/** Documents as bytes: a strong tag for each encoding (RFC 9110 section 8.8.3), compressed once when it is asked for. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { canonicalize, sha256Hex, utf8Bytes } from '@netd/protocol';

/** From here on a client would wait longer for a better compression than for the bytes it saves. */
const LARGE_BYTES = 256 * 1024;
/** Shorter documents are not worth compressing. */
const COMPRESS_FROM_BYTES = 1_024;

/** Compressed once, and to be saved as they are. */
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

/** A text that is not made from a JSON value here. */
export class Text {
  readonly type: string;
  readonly text: string;

  /** @param type its media type */
  constructor(type: string, text: string) {
    this.type = type;
    this.text = text;
  }
}

/** Bytes that are handed out as they are. */
export class File {
  readonly type: string;
  readonly bytes: Uint8Array;

  /** @param type its media type */
  constructor(type: string, bytes: Uint8Array) {
    this.type = type;
    this.bytes = bytes;
  }
}

/** A document as bytes, before a compressed form was asked for. */
export interface EncodedContent {
  /** Its media type. */
  type: string;
  bytes: Uint8Array;
  /** What its tags are made of. */
  hash: string;
  /** Whether a client may ask for some of its bytes. */
  inParts?: boolean;
}

/** @param content a JSON value, which is written in its canonical form, a text or a file */
export function encodeContent(content: unknown): EncodedContent {
  const { type, bytes } = fileOf(content);
  const hash = sha256Hex(bytes).slice(0, 32);
  return { type, bytes, hash, inParts: content instanceof File };
}

/** One form of a document, ready to be sent. */
export interface Representation {
  body: Buffer;
  etag: string;
  inParts: boolean;
  /** What a whole answer says of it, names and values in turn. */
  headers: string[];
}

export class EncodedDocument {
  readonly bytes: Buffer;
  private readonly type: string;
  private readonly hash: string;
  private readonly inParts: boolean;
  private readonly ready = new Map<Encoding, Representation>();
  private readonly compressing = new Map<Compression, Promise<Representation>>();

  /** @param brotli the same, compressed before */
  constructor({ type, bytes, hash, inParts = false }: EncodedContent, brotli?: Buffer) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.type = type;
    this.hash = hash;
    this.inParts = inParts;
    this.ready.set('identity', this.represent('identity', this.bytes));
    if (brotli) this.ready.set('br', this.represent('br', brotli));
  }

  /** The bytes it holds, in all forms that were made so far. */
  get size(): number {
    return [...this.ready.values()].reduce((sum, { body }) => sum + body.length, 0);
  }

  /** The form a client likes best by its Accept-Encoding, where it has been made already. */
  readyFor(acceptEncoding: string | undefined): Representation | undefined {
    return this.ready.get(this.encodingFor(acceptEncoding));
  }

  /** The form a client likes best, made now if need be. */
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

/** RFC 9110 section 12.5.3, for the two codings there are: the higher weight wins, br where they are equal. */
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

/** RFC 9110 section 13.1.2: a list of tags, weak ones compare alike. */
export function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
