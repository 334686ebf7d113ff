import type { FastifyReply, FastifyRequest } from 'fastify';
import { rangeOf } from '@netd/client-limits';
import type { CachePolicy } from './cache-policy.ts';
import { ApiError } from '@netd/engine';
import { isFresh, type Representation } from './encoded-document.ts';
import { matches } from './request-head.ts';

/** The page at / has inline styles. No answer may run scripts or be framed. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

const EXPOSED_HEADERS = [
  'etag',
  'retry-after',
  'x-request-id',
  'location',
  'content-range',
  'allow',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
].join(', ');

export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};
const COMMON = Object.entries(COMMON_HEADERS).flat();
const COMMON_OF_PROGRAMS = Object.entries(COMMON_HEADERS)
  .filter(([name]) => name !== 'content-security-policy')
  .flat();

export function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const wanted = request.headers['access-control-request-headers'];
  writeAnswer(reply, 204, [
    'access-control-allow-methods',
    'GET, HEAD, POST',
    'access-control-max-age',
    '86400',
    ...(wanted === undefined ? [] : ['access-control-allow-headers', wanted]),
    'vary',
    'Access-Control-Request-Headers',
    'content-length',
    '0',
  ]);
}

/**
 * Sends the document in the client's preferred encoding, a range of it, or 304.
 * @throws ApiError PRECONDITION_FAILED if If-Match names another encoding or version, RANGE_NOT_SATISFIABLE
 */
export function writeDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag, headers, inParts }: Representation,
  { cacheControl }: CachePolicy,
): void {
  const { 'if-match': ifMatch, 'if-range': ifRange, range } = request.headers;
  if (ifMatch !== undefined && !matches(ifMatch, etag)) throw new ApiError('PRECONDITION_FAILED');
  const about = [
    'etag',
    etag,
    'cache-control',
    cacheControl,
    'vary',
    'Accept, Accept-Encoding, Origin',
  ];
  if (isFresh(request.headers['if-none-match'], etag)) {
    writeAnswer(reply, 304, about);
    return;
  }
  // Ranges are only for GET (RFC 9110 section 14.2).
  const fits = inParts && request.method === 'GET' && (ifRange === undefined || ifRange === etag);
  const wanted = fits ? rangeOf(range, body.length) : 'whole';
  if (wanted === 'whole') {
    writeAnswer(reply, 200, [...about, ...headers, ...lengthOf(body)], { body });
    return;
  }
  if (wanted === null) {
    void reply.header('content-range', `bytes */${body.length}`);
    throw new ApiError('RANGE_NOT_SATISFIABLE');
  }
  const part = body.subarray(wanted.first, wanted.last + 1);
  const place = ['content-range', `bytes ${wanted.first}-${wanted.last}/${body.length}`];
  writeAnswer(reply, 206, [...about, ...headers, ...lengthOf(part), ...place], { body: part });
}

const lengthOf = ({ length }: Buffer): string[] => ['content-length', String(length)];

export function writeJson(
  reply: FastifyReply,
  type: string,
  text: string,
  policy: CachePolicy,
): void {
  const { statusCode } = reply;
  writeAnswer(
    reply,
    statusCode,
    [
      'cache-control',
      policy.cacheControl,
      'content-type',
      type,
      'content-length',
      String(Buffer.byteLength(text)),
    ],
    { body: text },
  );
}

export function writeRelayed(
  reply: FastifyReply,
  status: number,
  headers: readonly string[],
  { body, requestId }: { body: Buffer; requestId: string },
): void {
  const about = ['cache-control', 'no-store', 'content-length', String(body.length)];
  writeAnswer(reply, status, [...about, ...headers], { body, requestId });
}

function writeAnswer(
  reply: FastifyReply,
  status: number,
  headers: readonly string[],
  { body, requestId = reply.request.id }: { body?: Buffer | string; requestId?: string } = {},
): void {
  reply.hijack();
  const own = reply.getHeaders();
  // Send only one policy, because browsers would enforce both.
  const common = own['content-security-policy'] === undefined ? COMMON : COMMON_OF_PROGRAMS;
  const lines = [...common, ...headers, 'x-request-id', requestId];
  for (const name in own) lines.push(name, String(own[name]));
  reply.raw.writeHead(status, lines).end(body);
}
