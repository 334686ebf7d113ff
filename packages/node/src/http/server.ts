/** The HTTP interface: plugins, limits and error answers here, one file per resource under routes/. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import { ERROR_TABLE, MAX_ENVELOPE_BYTES, toViolation, type ErrorCode } from '@netd/protocol';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { Refusal } from '../chain/refusal.ts';
import type { NetNode } from '../node.ts';
import { HttpContext, type ServerOptions } from './context.ts';
import { dialectAt, sendRefusal } from './error-dialect.ts';
import { makeProblem } from './problem.ts';
import { takeRawBodies } from './raw-body.ts';
import { openApiInfo, transformObject, transformSchema } from './openapi.ts';
import { agentRoutes } from './routes/agents.ts';
import { blockRoutes } from './routes/blocks.ts';
import { consensusRoutes } from './routes/consensus.ts';
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
import { llmsTextRoutes } from './routes/llms-text.ts';
import { manifestRoutes } from './routes/manifest.ts';
import { protocolContributionRoutes } from './routes/protocol-contributions.ts';
import { RouteTable } from './route-table.ts';
import { shareOf } from './submit.ts';
import { a2aRoutes } from '../discovery/a2a-routes.ts';
import { agentCardRoutes } from '../discovery/agent-card.ts';
import { mcpRoutes } from '../discovery/mcp-routes.ts';

export interface HttpOptions extends ServerOptions {
  logger?: Logger;
  /** Believe X-Forwarded-For from a reverse proxy. */
  trustProxy?: boolean;
  /** Writes per minute and address, unless bound to loopback. */
  writesPerMinute?: number;
}

const DEFAULT_WRITES_PER_MINUTE = 600;
const REQUEST_TIMEOUT_MILLISECONDS = 30_000;

const ROUTES = [
  homeRoutes,
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
  llmsTextRoutes,
  docsRoutes,
  protocolContributionRoutes,
  mcpRoutes,
  a2aRoutes,
  agentCardRoutes,
];

/** The server of a node, ready to listen. */
export async function buildServer(node: NetNode, options: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    ...(options.logger ? { loggerInstance: options.logger } : {}),
    // What goes wrong is logged by answerError; a line per request would cost more than the request.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: options.trustProxy ?? false,
    bodyLimit: MAX_ENVELOPE_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MILLISECONDS,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Parameters are judged by their schemas; the header limit bounds them anyway.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply);
    },
    clientErrorHandler: answerClientError,
    exposeHeadRoutes: true,
    // Node would answer a request without Host in its own words; the hook below does it in ours.
    http: { requireHostHeader: false },
  }) as unknown as FastifyInstance;

  const table = new RouteTable();
  app.addHook('onRoute', (route) => table.add(route));
  useRawBodies(app);
  useSchemas(app);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    answerError(error, request, reply, node);
  });
  // Expectations are optional to meet (RFC 9110 section 10.1.1).
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  const context = new HttpContext(node, options);
  app.addHook('onRequest', (request, reply, done) => {
    if (context.resend(request, reply)) return;
    reply.header('x-request-id', request.id);
    done();
  });
  await app.register(swagger, {
    openapi: openApiInfo(),
    transform: transformSchema,
    transformObject,
  });
  await app.register(helmet, {
    // The page at / carries its style inside; nothing here runs scripts or is framed.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'unsafe-inline'"],
        imgSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // These say nothing to whoever reads JSON, and every header is paid for with every answer.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    strictTransportSecurity: false,
  });
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST'],
    exposedHeaders: [
      'etag',
      'retry-after',
      'x-request-id',
      'location',
      'allow',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
    ],
    maxAge: 86_400,
    // OPTIONS outside of a browser is answered alike, not with a complaint in plain text.
    strictPreflight: false,
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { httpVersion, headers } = request.raw;
    if (httpVersion === '1.1' && headers.host === undefined) sendRefusal(reply, 'REQUEST_INVALID');
    // Before anybody looks at the body, which may be of any type.
    else if (request.is404) sendNotFound(table.methodsAt(request.url), reply);
    else done();
  });
  if (!options.loopback) {
    await app.register(rateLimit, {
      max: options.writesPerMinute ?? DEFAULT_WRITES_PER_MINUTE,
      timeWindow: 60_000,
      enableDraftSpec: true,
      keyGenerator: (request) => shareOf(request.ip),
      // Reads have no limit of their own; other protocols have one beside this.
      allowList: (request) => request.method !== 'POST' || dialectAt(request.url) !== null,
      errorResponseBuilder: (_request, { ttl }) =>
        new Refusal('RATE_LIMITED', { retryAfter: Math.ceil(ttl / 1_000) }),
    });
  }
  await app.register((scope, _options, done) => {
    for (const routes of ROUTES) routes(scope, context);
    done();
  });
  await app.ready();
  return app;
}

function sendNotFound(allowed: readonly string[], reply: FastifyReply): void {
  if (allowed.length === 0) sendRefusal(reply, 'ROUTE_NOT_FOUND');
  else sendRefusal(reply.header('allow', allowed.join(', ')), 'METHOD_NOT_ALLOWED');
}

/** Envelopes reach the rules byte for byte as they were sent: JSON is not parsed, coerced or stripped here. */
function useRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  takeRawBodies(app, 'application/json');
}

function useSchemas(app: FastifyInstance): void {
  // Bodies are checked by the rules themselves.
  const ajv = new Ajv2020({ allErrors: true, strict: false, ownProperties: true });
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'body') return () => true;
    const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
    const integers = Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
    const validate = ajv.compile(schema as object);
    return (data: Record<string, unknown>) => {
      readIntegers(data, integers);
      return validate(data) ? true : { error: validate.errors as never };
    };
  });
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
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
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  node?: NetNode,
): void {
  const [code, data] = classify(error);
  node?.metrics.refusals.inc({ code });
  if (code === 'INTERNAL_ERROR') {
    request.log.error({ err: error, requestId: request.id, url: request.url }, 'unexpected error');
  }
  sendRefusal(reply, code, data);
}

function classify(error: FastifyError | Refusal): [ErrorCode, Refusal['data']] {
  if (error instanceof Refusal) return [error.code, error.data];
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
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // Where an earlier request of the connection still waits for its answer, this one must not take its place.
  const { _httpMessage: earlier } = socket as Socket & { _httpMessage?: ServerResponse };
  if (earlier?.req.complete === true) {
    earlier.once('finish', () => answerClientError(error, socket));
    return;
  }
  const code: ErrorCode =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'HEADERS_TOO_LARGE'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'REQUEST_TIMEOUT'
        : 'REQUEST_INVALID';
  const { status, title } = ERROR_TABLE[code];
  const body = JSON.stringify(makeProblem(code, randomUUID()));
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
