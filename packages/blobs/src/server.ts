import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import rateLimit from '@fastify/rate-limit';
import {
  ConnectionGuard,
  proxyTest,
  rangeOf,
  addressShare,
  type TrustProxy,
} from '@netd/client-limits';
import { HASH_PATTERN, MAX_BLOB_BYTES, type Problem } from '@netd/protocol';
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { authenticate } from './authenticate.ts';
import type { UsedSignature } from './catalogue.ts';
import { contentDigest, hashOfDigest, type SignedMethod } from './client/signature.ts';
import { BLOB_ERROR_TABLE, BlobError, type BlobErrorCode } from './errors.ts';
import type { KeyDirectory } from './key-directory.ts';
import type { Metrics } from './metrics.ts';
import type { BlobService } from './service.ts';
import { Transfers } from './transfers.ts';

export interface ServerOptions {
  service: BlobService;
  keys: KeyDirectory;
  metrics: Metrics;
  /** True if the Host is this service. */
  isOwnAuthority: (authority: string) => boolean;
  /** True to skip rate limits and connection shares. */
  loopback: boolean;
  /** Proxies whose X-Forwarded-For is trusted. */
  trustProxy?: TrustProxy;
  logger?: Logger;
}

const METHODS = 'GET, HEAD, PUT, DELETE';
const HASH = new RegExp(HASH_PATTERN);

/** Any page may call: nothing depends on cookies or origins. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Accept-Ranges, Content-Length, Content-Range, ETag, Retry-After, X-Request-Id',
  'cross-origin-resource-policy': 'cross-origin',
};

/** Strangers' bytes must never run. */
const UNTRUSTED = {
  'content-type': 'application/octet-stream',
  'content-disposition': 'attachment',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
};

const CHECK_MILLISECONDS = 5_000;

export interface BuiltServer {
  app: FastifyInstance;
  guard: ConnectionGuard;
}

export async function buildServer(options: ServerOptions): Promise<BuiltServer> {
  const { service, metrics } = options;
  const { limits } = service.parts;
  const isProxy = proxyTest(options.trustProxy);
  const guard = new ConnectionGuard({
    ...limits,
    isExempt: (address) => options.loopback || isProxy(address, 0),
    onRefused: () => metrics.refusedConnections.inc(),
  });
  const app = Fastify({
    ...(options.logger ? { loggerInstance: options.logger } : {}),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // The client controls every X-Forwarded-For entry that no trusted proxy wrote.
    trustProxy: isProxy,
    http: { connectionsCheckingInterval: CHECK_MILLISECONDS },
    requestTimeout: limits.requestTimeout,
    // This is longer than the timeout of uploads, so that a late upload still gets an answer.
    connectionTimeout: limits.connectionTimeout,
    keepAliveTimeout: limits.connectionTimeout,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => answerError(metrics, error, request, reply),
    clientErrorHandler: answerClientError,
  }) as unknown as FastifyInstance;
  app.server.headersTimeout = limits.headersTimeout;
  app.server.maxConnections = limits.connections;
  app.server.on('drop', () => metrics.refusedConnections.inc());

  // Handlers read bodies as streams of any type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    answerError(metrics, error, request, reply);
  });
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ ...CORS, 'x-request-id': request.id });
    const share = guard.refusedShare(request.raw.socket);
    if (share !== null) {
      void reply.header('connection', 'close');
      done(
        new BlobError(
          'RATE_LIMITED',
          10,
          `${share} has ${limits.connectionsPerAddress} connections open, and may have no more`,
        ),
      );
    } else if (request.method === 'OPTIONS') answerPreflight(reply);
    else done();
  });
  // Accept the rest of a refused body for a limited time.
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete) {
      const timer = setTimeout(() => raw.socket.destroy(), limits.headersTimeout).unref();
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedAt(pathOf(request));
    if (allowed === null) throw new BlobError('ROUTE_NOT_FOUND');
    void reply.header('allow', allowed);
    throw new BlobError('METHOD_NOT_ALLOWED');
  });
  if (!options.loopback) {
    await app.register(rateLimit, {
      max: () => limits.writesPerMinute,
      timeWindow: 60_000,
      enableDraftSpec: true,
      keyGenerator: shareOf,
      allowList: ({ method }) => method !== 'PUT' && method !== 'DELETE',
      errorResponseBuilder: (request, { max, ttl }) => {
        const what = `${shareOf(request)} has sent the ${max} writes that an address may send in a minute`;
        return new BlobError('RATE_LIMITED', Math.ceil(ttl / 1_000), what);
      },
    });
  }
  await app.register((scope, _options, done) => {
    addRoutes(scope, options);
    done();
  });
  await app.ready();
  return { app, guard };
}

const shareOf = ({ ip }: FastifyRequest): string => addressShare(ip);

function addRoutes(app: FastifyInstance, options: ServerOptions): void {
  const { service, keys, metrics, isOwnAuthority } = options;
  const { catalogue, limits, storage, now } = service.parts;
  const downloads = new Transfers('downloads', 'BUSY', {
    most: limits.downloads,
    ofAddress: limits.downloadsOfAddress,
    rate: limits.transferRate,
    grace: limits.transferGrace,
    pressedGrace: limits.pressedGrace,
  });

  const signatureOf = (request: FastifyRequest, method: SignedMethod): Promise<UsedSignature> => {
    const signed = { method, path: pathOf(request), headers: request.headers };
    return authenticate(signed, { keys, isOwnAuthority, share: shareOf(request), now: now() });
  };

  app.put('/blobs/:hash', async (request, reply) => {
    const hash = hashOf(request);
    const byteLength = lengthOf(request, reply);
    const digest = request.headers['content-digest'];
    const signature = await signatureOf(request, 'PUT');
    if (typeof digest !== 'string' || hashOfDigest(digest) !== hash) {
      throw new BlobError('CONTENT_DIGEST_MISMATCH');
    }
    const upload = { body: request.raw, share: shareOf(request) };
    const result = await service.put(hash, byteLength, upload, signature);
    metrics.uploads.inc({ result });
    metrics.uploadedBytes.inc(byteLength);
    void reply.code(result === 'created' ? 201 : 200).header('location', pathOf(request));
    return sendJson(reply, { schema: 'NET-BLOB/1', hash, byteLength });
  });

  app.delete('/blobs/:hash', async (request, reply) => {
    const hash = hashOf(request);
    await service.remove(hash, await signatureOf(request, 'DELETE'));
    return reply.code(204).send();
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: '/blobs/:hash',
    handler: async (request, reply) => {
      const hash = hashOf(request);
      const blob = catalogue.blob(hash);
      if (!blob) throw new BlobError('BLOB_NOT_FOUND');
      const etag = `"${hash}"`;
      const headers: Record<string, string | number> = {
        ...CORS,
        ...UNTRUSTED,
        'x-request-id': request.id,
        etag,
        'cache-control': 'public, max-age=31536000, immutable',
        'accept-ranges': 'bytes',
        'repr-digest': contentDigest(hash),
      };
      const { 'if-none-match': ifNoneMatch, 'if-range': ifRange, range } = request.headers;
      if (ifNoneMatch !== undefined && matches(ifNoneMatch, etag)) {
        reply.hijack();
        reply.raw.writeHead(304, headers).end();
        return;
      }
      const fits = ifRange === undefined || ifRange === etag;
      // Ranges apply to GET only (RFC 9110 section 14.2).
      const wanted = request.method === 'GET' && fits ? rangeOf(range, blob.byteLength) : 'whole';
      if (wanted === null) {
        void reply.header('content-range', `bytes */${blob.byteLength}`);
        throw new BlobError('RANGE_NOT_SATISFIABLE');
      }
      const { first, last } = wanted === 'whole' ? { first: 0, last: blob.byteLength - 1 } : wanted;
      const length = last - first + 1;
      headers['content-length'] = length;
      if (wanted !== 'whole')
        headers['content-range'] = `bytes ${first}-${last}/${blob.byteLength}`;
      const status = wanted === 'whole' ? 200 : 206;
      if (request.method === 'HEAD' || length === 0) {
        reply.hijack();
        reply.raw.writeHead(status, headers).end();
        return;
      }
      const { socket } = reply.raw;
      if (socket === null)
        throw new BlobError('BUSY', 1, 'This connection has a download under way');
      const before = socket.bytesWritten;
      const slot = downloads.begin(shareOf(request), {
        bytes: () => socket.bytesWritten - socket.writableLength - before,
        isWaiting: () => socket.writableLength > 0,
      });
      slot.signal.addEventListener('abort', () => reply.raw.destroy());
      const deadline = setTimeout(() => reply.raw.destroy(), limits.answerTimeout);
      try {
        const body = await storage.read(hash, { first, last });
        if (!body) {
          request.log.error({ hash }, 'a recorded blob has no bytes');
          throw new BlobError('BLOB_NOT_FOUND');
        }
        reply.hijack();
        reply.raw.writeHead(status, headers);
        metrics.servedBytes.inc(length);
        await pipeline(body, reply.raw).catch((error: unknown) =>
          request.log.debug({ err: error }, 'a download ended early'),
        );
      } finally {
        clearTimeout(deadline);
        slot.end();
      }
    },
  });

  app.get('/health', (_request, reply) => {
    const { bytes, blobs } = catalogue.totals();
    return sendJson(reply, {
      schema: 'NET-BLOBS-HEALTH/1',
      // Reads still work in a full store.
      status: service.hasRoom ? 'ok' : 'full',
      storage: storage.kind,
      blobs,
      bytes,
      capacityBytes: limits.storageBytes,
      unprovenBytes: catalogue.unprovenBytes(),
      unprovenCapacityBytes: service.unprovenCapacity,
      maxBlobBytes: MAX_BLOB_BYTES,
      dailyBytesPerAgent: limits.dailyBytes,
    });
  });

  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.text()),
  );
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? '';
}

function allowedAt(path: string): string | null {
  if (/^\/blobs\/[^/]*$/.test(path)) return METHODS;
  return path === '/health' || path === '/metrics' ? 'GET' : null;
}

function hashOf(request: FastifyRequest): string {
  const { hash } = request.params as { hash: string };
  // The path must match too, because the signature covers it.
  if (!HASH.test(hash) || !pathOf(request).endsWith(hash)) throw new BlobError('HASH_INVALID');
  return hash;
}

function lengthOf({ headers }: FastifyRequest, reply: FastifyReply): number {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new BlobError('ENCODING_UNSUPPORTED');
  const text = headers['content-length'];
  if (text === undefined) throw new BlobError('LENGTH_REQUIRED');
  const length = Number(text);
  if (length > MAX_BLOB_BYTES) {
    void reply.header('connection', 'close');
    throw new BlobError('BLOB_TOO_LARGE');
  }
  return length;
}

function matches(header: string, etag: string): boolean {
  return header.split(',').some((part) => ['*', etag, `W/${etag}`].includes(part.trim()));
}

function answerPreflight(reply: FastifyReply): void {
  void reply
    .headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers':
        'Content-Digest, Content-Type, If-None-Match, If-Range, Range, Signature, Signature-Input',
      'access-control-max-age': '86400',
    })
    .code(204)
    .send();
}

function sendJson(reply: FastifyReply, value: object): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(Buffer.from(JSON.stringify(value)));
}

function makeProblem(code: BlobErrorCode, requestId: string, what: string | null = null): Problem {
  const { status, title, advice } = BLOB_ERROR_TABLE[code];
  const detail = what === null ? advice : `${what}. ${advice}`;
  return { type: `urn:netd:blobs:${code}`, title, status, detail, code, requestId };
}

function answerError(
  metrics: Metrics,
  error: FastifyError | BlobError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const code = codeOf(error);
  if (code === 'INTERNAL_ERROR') {
    const [path] = request.url.split('?');
    request.log.error({ err: error, requestId: request.id, path }, 'unexpected error');
  }
  metrics.refusals.inc({ code });
  const what = error instanceof BlobError ? error.what : null;
  const problem = makeProblem(code, request.id, what);
  if (error instanceof BlobError && error.retryAfter !== null) {
    void reply.header('retry-after', String(error.retryAfter));
  }
  // The rest of the body may never come.
  if (code === 'UPLOAD_TIMEOUT') void reply.header('connection', 'close');
  void reply
    .code(problem.status)
    .headers({ ...CORS, 'cache-control': 'no-store', 'x-request-id': request.id })
    .type('application/problem+json')
    .send(Buffer.from(JSON.stringify(problem)));
}

function codeOf(error: FastifyError | BlobError): BlobErrorCode {
  if (error instanceof BlobError) return error.code;
  const { statusCode } = error;
  return statusCode !== undefined && statusCode < 500 ? 'REQUEST_INVALID' : 'INTERNAL_ERROR';
}

function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // An earlier request must be answered first.
  const { _httpMessage: earlier } = socket as Socket & { _httpMessage?: ServerResponse };
  if (earlier?.req.complete === true) {
    earlier.once('finish', () => answerClientError(error, socket));
    return;
  }
  const codes: Record<string, BlobErrorCode> = {
    HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
    ERR_HTTP_REQUEST_TIMEOUT: 'UPLOAD_TIMEOUT',
  };
  const code = codes[error.code ?? ''] ?? 'REQUEST_INVALID';
  const problem = makeProblem(code, randomUUID());
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
