import type { HttpErrorEntry } from '@netd/protocol';

const table = {
  REQUEST_INVALID: {
    status: 400,
    title: 'The HTTP request cannot be read',
    advice: 'Check the request line, the headers and that the whole body was sent.',
  },
  HASH_INVALID: {
    status: 400,
    title: 'This is not the name of a blob',
    advice: 'Name it by the SHA-256 of its bytes, 64 lowercase hex digits.',
  },
  CONTENT_DIGEST_MISMATCH: {
    status: 400,
    title: 'Content-Digest and path do not name the same bytes',
    advice:
      'Send Content-Digest: sha-256=:…: with the hash of the path in base64, and nothing else in it.',
  },
  SIGNATURE_MISSING: {
    status: 401,
    title: 'The request is not signed',
    advice: 'Sign it as /docs/formats of a node says, with the key of a registered agent.',
  },
  SIGNATURE_INVALID: {
    status: 401,
    title: 'The signature does not hold',
    advice:
      'Sign the listed components in their order with created, expires, nonce, keyid and Ed25519.',
  },
  SIGNATURE_EXPIRED: {
    status: 401,
    title: 'The signature is not valid now',
    advice: 'Sign again with created of this moment and expires at most 300 seconds later.',
  },
  SIGNER_UNKNOWN: {
    status: 403,
    title: 'The node knows no active agent or live session of this keyid',
    advice:
      'Register the agent first, and use its id as keyid; a session is <agent id>/<session id>.',
  },
  SESSION_CANNOT_DELETE: {
    status: 403,
    title: 'A session may store blobs, not give them up',
    advice: 'Sign with the own key of the agent.',
  },
  NOT_HELD: {
    status: 403,
    title: 'The signer does not hold this blob',
    advice: 'Only who uploaded a blob can give it up; nothing has changed.',
  },
  BLOB_NOT_FOUND: {
    status: 404,
    title: 'There is no such blob here',
    advice: 'Ask another origin, or upload it.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    title: 'There is nothing at this path',
    advice: 'Blobs are at /blobs/<hash>; the service describes itself at /health.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The path does not answer this method',
    advice: 'Use a method of the Allow header.',
  },
  UPLOAD_TIMEOUT: {
    status: 408,
    title: 'The request did not arrive in time',
    advice: 'Send the whole body without long pauses, 16 KiB a second at least.',
  },
  NONCE_REPLAYED: {
    status: 409,
    title: 'This signature was used before',
    advice: 'Sign every request by itself, with a nonce of its own.',
  },
  LENGTH_REQUIRED: {
    status: 411,
    title: 'The length of the body is not known',
    advice: 'Send Content-Length.',
  },
  BLOB_TOO_LARGE: {
    status: 413,
    title: 'The blob is too large',
    advice: 'A blob has at most 8 MiB; split the content and name the parts in a document.',
  },
  ENCODING_UNSUPPORTED: {
    status: 415,
    title: 'The body is encoded',
    advice: 'Send the very bytes that the hash names, without Content-Encoding.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    title: 'The blob has no such bytes',
    advice: 'Content-Range states its length.',
  },
  AUTHORITY_MISMATCH: {
    status: 421,
    title: 'The request was signed for another service',
    advice: 'Sign the host and port of the origin you send it to.',
  },
  HASH_MISMATCH: {
    status: 422,
    title: 'The body does not have the hash of the path',
    advice: 'Hash the bytes that you send; nothing was stored.',
  },
  QUOTA_EXCEEDED: {
    status: 429,
    title: 'The agent has uploaded what it may today',
    advice: 'Wait as many seconds as Retry-After says, or use another service.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests from this address',
    advice: 'Wait as many seconds as Retry-After says.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'The request headers are too large',
    advice: 'Send fewer or shorter headers.',
  },
  INTERNAL_ERROR: {
    status: 500,
    title: 'Something unexpected went wrong in the service',
    advice: 'Tell the operator the requestId; the log has the details under it.',
  },
  BUSY: {
    status: 503,
    title: 'The service has as much to do as it takes on',
    advice: 'Wait as many seconds as Retry-After says and try again.',
  },
  NODE_UNREACHABLE: {
    status: 503,
    title: 'The node that knows the keys does not answer',
    advice: 'Try again later; stored content can still be read.',
  },
  UNPROVEN_STORAGE_FULL: {
    status: 507,
    title: 'Names without paid or funded work have no more room here',
    advice:
      'Give up blobs that are no longer needed, use another service, or come back after you were paid for an order, or have paid for one, of at least minimumFunding of /v1/validation.',
  },
  STORAGE_FULL: {
    status: 507,
    title: 'There is no room for the blob',
    advice: 'Use another service, or tell the operator; nothing that is stored was lost.',
  },
} as const satisfies Record<string, HttpErrorEntry>;

export type BlobErrorCode = keyof typeof table;

export const BLOB_ERROR_TABLE: Readonly<Record<BlobErrorCode, HttpErrorEntry>> = table;

export class BlobError extends Error {
  override name = 'BlobError';
  readonly code: BlobErrorCode;
  /** In seconds. */
  readonly retryAfter: number | null;

  /** A sentence without its full stop; the table has the advice. */
  readonly what: string | null;

  constructor(code: BlobErrorCode, retryAfter: number | null = null, what: string | null = null) {
    super(table[code].title);
    this.what = what;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}
