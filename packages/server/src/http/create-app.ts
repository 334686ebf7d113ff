import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { compileSchema, MAX_ENVELOPE_BYTES, type ErrorCode, type Violation } from '@netd/protocol';
import { proxyTest, type TrustProxy } from '@netd/client-limits';
import type { TObject, TSchema } from '@netd/protocol/type';
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaCompiler,
} from 'fastify';
import type { Logger } from 'pino';
import { ApiError } from '@netd/engine';
import { UnknownRulesError } from '@netd/ledger';
import { COMMON_HEADERS } from './answer.ts';
import { knownParameters } from './canonical-url.ts';
import { sendApiError, type ErrorFormat, type Refuse } from './error-format.ts';
import type { HttpListener } from './http-listener.ts';
import { takeRawBodies } from './raw-body.ts';
import { isHostAmbiguous } from './request-head.ts';

export interface AppOptions {
  listener: HttpListener;
  logger?: Logger;
  /** Proxies whose X-Forwarded-For is trusted. */
  trustProxy?: TrustProxy;
  formats: readonly ErrorFormat[];
}

export interface App {
  app: FastifyInstance;
  refuse: Refuse;
  enter: () => Promise<void>;
}

export const ROUTER_OPTIONS = { maxParamLength: 16_384 };

export function createApp({ listener, logger, trustProxy, formats }: AppOptions): App {
  const refuse: Refuse = (reply, code, data) => {
    listener.metrics.countRefusal(code);
    return sendApiError(formats, reply, code, data);
  };
  let answer: RequestListener = () => {};
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    serverFactory: (handler) => {
      answer = handler;
      return listener.server;
    },
    clientErrorHandler: () => {},
    // A log line costs more than most requests. answerError logs failures.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // Trust only what the given proxies wrote, because clients control the rest.
    trustProxy: proxyTest(trustProxy),
    bodyLimit: MAX_ENVELOPE_BYTES,
    return503OnClosing: false,
    routerOptions: ROUTER_OPTIONS,
    frameworkErrors: (error, request, reply) => {
      answerError(refuse, error, request, reply);
    },
    exposeHeadRoutes: true,
    schemaController: {
      compilersFactory: {
        buildValidator: (() => parameterChecks()) as never,
        buildSerializer: () => () => (data) => JSON.stringify(data),
      },
    },
  }) as unknown as FastifyInstance;
  useRawBodies(app);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    answerError(refuse, error, request, reply);
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers({ ...COMMON_HEADERS, 'x-request-id': request.id });
    done();
  });
  const enter = async (): Promise<void> => {
    await app.ready();
    listener.leadTo(answer);
  };
  return { app, refuse, enter };
}

/** Refuses a request without one unambiguous Host. Returns true if it did. */
export function refusesHost(request: FastifyRequest, reply: FastifyReply, refuse: Refuse): boolean {
  if (!isHostAmbiguous(request.raw)) return false;
  refuse(reply, 'REQUEST_INVALID', { message: 'a request names its Host once' });
  return true;
}

function useRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  takeRawBodies(app, 'application/json');
}

function parameterChecks(): FastifySchemaCompiler<TObject> {
  return ({ schema: parameters, httpPart }) => {
    if (httpPart === 'body') return () => true;
    const properties: Record<string, TSchema & { type?: string }> = parameters.properties;
    const integers = Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
    const check = compileSchema(parameters, { listAll: true });
    return (data: Record<string, unknown>) => {
      readIntegers(data, integers);
      const violations = check(data);
      if (violations) return { error: violations as never };
      return { value: knownParameters(parameters, data) };
    };
  };
}

/** Converts decimal integers. Texts such as "1e1", "0xa" or "010" stay texts, and are refused. */
function readIntegers(data: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    const text = data[name];
    if (typeof text === 'string' && /^(0|-?[1-9][0-9]{0,15})$/.test(text))
      data[name] = Number(text);
  }
}

function answerError(
  refuse: Refuse,
  error: FastifyError | ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const [code, data] = classify(error);
  if (code === 'INTERNAL_ERROR') {
    const [path] = request.url.split('?');
    request.log.error({ err: error, requestId: request.id, path }, 'unexpected error');
  }
  refuse(reply, code, data);
}

function classify(error: FastifyError | ApiError): [ErrorCode, ApiError['data']] {
  if (error instanceof ApiError) return [error.code, error.data];
  // The engine has halted before the block that this dry run would execute.
  if (error instanceof UnknownRulesError) {
    return ['NODE_NOT_READY', { message: error.message, retryAfter: 60 }];
  }
  if (error.validation) {
    const part = error.validationContext === 'params' ? 'path' : 'query';
    const errors = (error.validation as unknown as Violation[]).map(({ path, message }) => ({
      path: `/${part}${path}`,
      message,
    }));
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
