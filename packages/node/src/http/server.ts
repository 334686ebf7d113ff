/** The HTTP interface: plugins, limits and error answers here, one file per resource under routes/. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import { ERROR_TABLE, MAX_ENVELOPE_BYTES, toViolation, type ErrorCode } from '@netd/protocol';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaCompiler,
} from 'fastify';
import type { Logger } from 'pino';
import type { TObject, TSchema } from '@netd/protocol/type';
import { ApiError } from '../chain/api-error.ts';
import type { DataDir } from '../data-dir.ts';
import type { Metrics } from '../metrics.ts';
import type { NetNode } from '../node.ts';
import { answerPreflight, COMMON_HEADERS } from './answer.ts';
import { knownParameters } from './canonical-url.ts';
import { HttpContext, type ServerOptions, type ServerPart } from './context.ts';
import { errorFormatAt, sendApiError, type Refuse } from './error-format.ts';
import { HTTP_LIMITS } from './limits.ts';
import { makeProblem } from './problem.ts';
import { takeRawBodies } from './raw-body.ts';
import { agentRoutes } from './routes/agents.ts';
import { blockRoutes } from './routes/blocks.ts';
import { consensusRoutes } from './routes/consensus.ts';
import { downloadRoutes } from './routes/downloads.ts';
import { errorsPageRoutes } from './routes/errors-page.ts';
import { eventRoutes } from './routes/events.ts';
import { healthRoutes } from './routes/health.ts';
import { homeRoutes } from './routes/home.ts';
import { intentRoutes } from './routes/intents.ts';
import { networkRoutes } from './routes/network.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { operatorRoutes } from './routes/operators.ts';
import { stateRoutes } from './routes/state.ts';
import { workOrderRoutes } from './routes/work-orders.ts';
import { memoryCheckpointRoutes } from './routes/memory-checkpoints.ts';
import { memoryHandoverRoutes } from './routes/memory-handovers.ts';
import { documentRoutes } from './routes/documents.ts';
import { docsRoutes } from './routes/docs.ts';
import { manifestRoutes } from './routes/manifest.ts';
import { protocolContributionRoutes } from './routes/protocol-contributions.ts';
import { RouteTable } from './route-table.ts';
import { WriteForwarder } from './forward-writes.ts';
import { isHostAmbiguous, meetExpectations } from './request-head.ts';
import { SlowReaders } from './slow-readers.ts';
import { rateLimitKey } from './submit.ts';

export interface HttpOptions extends ServerOptions {
  logger?: Logger;
  /** Believe X-Forwarded-For from a reverse proxy. */
  trustProxy?: boolean;
  /** Writes per minute and address, unless bound to loopback. */
  writesPerMinute?: number;
  /** Whether a follower hands writes on instead of refusing them. */
  forwardWrites?: boolean;
  /** What other rooms serve beside the resources of this one. */
  parts: readonly ServerPart[];
  /** Sees the server before its routes: what is to hear of each of them hooks itself in here. */
  beforeRoutes?: (app: FastifyInstance) => Promise<void>;
}

const DEFAULT_WRITES_PER_MINUTE = 600;
/** Parameters are judged by their schemas; the header limit bounds them anyway. */
const ROUTER_OPTIONS = { maxParamLength: 16_384 };

const ROUTES = [
  homeRoutes,
  downloadRoutes,
  healthRoutes,
  networkRoutes,
  consensusRoutes,
  stateRoutes,
  blockRoutes,
  eventRoutes,
  agentRoutes,
  intentRoutes,
  workOrderRoutes,
  openApiRoutes,
  errorsPageRoutes,
  memoryCheckpointRoutes,
  memoryHandoverRoutes,
  documentRoutes,
  operatorRoutes,
  manifestRoutes,
  docsRoutes,
  protocolContributionRoutes,
];

/** The server of a node, ready to listen. */
export async function buildServer(
  node: NetNode<DataDir>,
  options: HttpOptions,
): Promise<FastifyInstance> {
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const formats = options.parts.flatMap(({ errorFormats }) => errorFormats);
  const refuse: Refuse = (reply, code, data) => {
    node.metrics.countRefusal(code);
    return sendApiError(formats, reply, code, data);
  };
  const app = Fastify({
    ...(options.logger ? { loggerInstance: options.logger } : {}),
    // What goes wrong is logged by answerError; a line per request would cost more than the request.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: options.trustProxy ?? false,
    bodyLimit: MAX_ENVELOPE_BYTES,
    requestTimeout: limits.requestTime,
    connectionTimeout: 0,
    keepAliveTimeout: limits.idleTime,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: ROUTER_OPTIONS,
    frameworkErrors: (error, request, reply) => {
      answerError(refuse, error, request, reply);
    },
    clientErrorHandler: (error, socket) => {
      answerClientError(node.metrics, error, socket);
    },
    exposeHeadRoutes: true,
    // Node would answer a request without Host in its own words; the hook below does it in ours.
    http: { requireHostHeader: false },
    // With compilers of its own Fastify does not even load those it brings.
    schemaController: {
      compilersFactory: {
        // Fastify's type for it is that of its own validator.
        buildValidator: (() => parameterChecks()) as never,
        buildSerializer: () => () => (data) => JSON.stringify(data),
      },
    },
  }) as unknown as FastifyInstance;

  const table = new RouteTable(ROUTER_OPTIONS);
  app.addHook('onRoute', (route) => table.add(route));
  useRawBodies(app);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    answerError(refuse, error, request, reply);
  });
  meetExpectations(app.server, MAX_ENVELOPE_BYTES);
  const slowReaders = new SlowReaders(limits, () => node.metrics.slowReaders++);
  slowReaders.watch(app.server);
  const context = new HttpContext(node, options, { limits, slowReaders });
  app.addHook('onClose', () => context.close());
  // One hook for all that comes before the routes: each costs every request.
  app.addHook('onRequest', (request, reply, done) => {
    if (isHostAmbiguous(request.raw)) {
      const message = 'a request names its Host once';
      refuse(reply, 'REQUEST_INVALID', { message });
      return;
    }
    if (context.resend(request, reply)) return;
    const { method } = request;
    if (method === 'OPTIONS') answerPreflight(request, reply);
    else if (method === 'POST' && request.headers['if-match'] !== undefined) {
      refuse(reply, 'PRECONDITION_FAILED');
    }
    // Before anybody looks at the body, which may be of any type.
    else if (request.is404) sendNotFound(refuse, table.methodsAt(request.url), reply);
    else done();
  });
  // Documents and receipts are written past this; it is for what the framework sends.
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers({ ...COMMON_HEADERS, 'x-request-id': request.id });
    done();
  });
  await options.beforeRoutes?.(app);
  if (!options.loopback) {
    await app.register(rateLimit, {
      max: options.writesPerMinute ?? DEFAULT_WRITES_PER_MINUTE,
      timeWindow: 60_000,
      enableDraftSpec: true,
      keyGenerator: (request) => rateLimitKey(request.ip),
      // Reads have no limit of their own; other protocols have one beside this.
      allowList: (request) =>
        request.method !== 'POST' || errorFormatAt(formats, request.url) !== null,
      errorResponseBuilder: (_request, { ttl }) =>
        new ApiError('RATE_LIMITED', { retryAfter: Math.ceil(ttl / 1_000) }),
    });
  }
  if (options.forwardWrites === true) forwardWrites(app, new WriteForwarder(node, limits));
  await app.register((scope, _options, done) => {
    const routes = [...ROUTES, ...options.parts.flatMap((part) => part.routes)];
    for (const add of routes) add(scope, context);
    done();
  });
  await app.ready();
  return app;
}

/** What brings an envelope into the chain says 201: it goes to somebody who can. */
function forwardWrites(app: FastifyInstance, forwarder: WriteForwarder): void {
  app.addHook('preHandler', async (request, reply) => {
    const { url, schema } = request.routeOptions;
    const { 201: committed } = (schema?.response ?? {}) as Record<number, unknown>;
    const commits = request.method === 'POST' && committed !== undefined;
    if (commits && url !== undefined) await forwarder.forward(url, request, reply);
  });
}

function sendNotFound(refuse: Refuse, allowed: readonly string[], reply: FastifyReply): void {
  if (allowed.length === 0) refuse(reply, 'ROUTE_NOT_FOUND');
  else refuse(reply.header('allow', allowed.join(', ')), 'METHOD_NOT_ALLOWED');
}

/** Envelopes reach the rules byte for byte as they were sent: JSON is not parsed, coerced or stripped here. */
function useRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  takeRawBodies(app, 'application/json');
}

/**
 * Checks of path and query; bodies are checked by the rules themselves. Each schema is compiled with the first request
 * that needs it: compiling all of them would take longer than everything else that a server does at its start.
 */
function parameterChecks(): FastifySchemaCompiler<TObject> {
  let ajv: Ajv2020 | null = null;
  return ({ schema: parameters, httpPart }) => {
    if (httpPart === 'body') return () => true;
    const properties: Record<string, TSchema & { type?: string }> = parameters.properties;
    const integers = Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
    let validate: ValidateFunction | null = null;
    return (data: Record<string, unknown>) => {
      ajv ??= new Ajv2020({
        allErrors: true,
        strict: false,
        ownProperties: true,
        validateSchema: false,
        code: { optimize: false },
      });
      validate ??= ajv.compile(parameters);
      readIntegers(data, integers);
      if (!validate(data)) return { error: validate.errors as never };
      return { value: knownParameters(parameters, data) };
    };
  };
}

/** Path and query are text: "10" stands for 10. "1e1", "0xa" and "010" stand for nothing. */
function readIntegers(data: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    const text = data[name];
    if (typeof text === 'string' && /^(0|-?[1-9][0-9]{0,15})$/.test(text))
      data[name] = Number(text);
  }
}

/** One place decides what a client is told of an error; what is not a refusal stays in the log. */
function answerError(
  refuse: Refuse,
  error: FastifyError | ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const [code, data] = classify(error);
  if (code === 'INTERNAL_ERROR') {
    request.log.error({ err: error, requestId: request.id, url: request.url }, 'unexpected error');
  }
  refuse(reply, code, data);
}

function classify(error: FastifyError | ApiError): [ErrorCode, ApiError['data']] {
  if (error instanceof ApiError) return [error.code, error.data];
  if (error.validation) {
    const part = error.validationContext === 'params' ? 'path' : 'query';
    const errors = (error.validation as unknown as ErrorObject[]).map((fault) => {
      const { path, message } = toViolation(fault);
      return { path: `/${part}${path}`, message };
    });
    return ['PARAMETER_INVALID', { errors }];
  }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return ['BODY_TOO_LARGE', {}];
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return ['CONTENT_TYPE_UNSUPPORTED', {}];
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return ['REQUEST_INVALID', {}];
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return ['REQUEST_INVALID', {}];
    default:
      return error.statusCode !== undefined && error.statusCode < 500
        ? ['REQUEST_INVALID', {}]
        : ['INTERNAL_ERROR', {}];
  }
}

/** Bytes that Node's parser refuses never become a request; they get an answer all the same. */
function answerClientError(metrics: Metrics, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // Where an earlier request of the connection still waits for its answer, this one must not take its place.
  const { _httpMessage: earlier } = socket as Socket & { _httpMessage?: ServerResponse };
  if (earlier?.req.complete === true) {
    earlier.once('finish', () => answerClientError(metrics, error, socket));
    return;
  }
  const code: ErrorCode =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'HEADERS_TOO_LARGE'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'REQUEST_TIMEOUT'
        : 'REQUEST_INVALID';
  metrics.countRefusal(code);
  const { status, title } = ERROR_TABLE[code];
  const body = JSON.stringify(makeProblem(code, randomUUID()));
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
