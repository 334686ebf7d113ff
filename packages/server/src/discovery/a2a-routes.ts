/** A2A v1 over HTTP+JSON: messages in, one message out; there are no tasks, streams or push notifications. */
import { A2AError, UnsupportedOperationError, VersionNotSupportedError } from '@a2a-js/sdk/errors';
import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { compileSchema, type JsonValue } from '@netd/protocol';
import type { Static } from '@netd/protocol/type';
import { ApiError } from '@netd/engine';
import type { Routes } from '../http/context.ts';
import { takeRawBodies } from '../http/raw-body.ts';
import { bodyBytes } from '../http/submit.ts';
import {
  A2A_MEDIA_TYPE,
  A2A_PATH,
  A2A_RPC_PATH,
  A2A_VERSION,
  noPush,
  noSuchTask,
  NO_CARD,
  STREAM,
  reasonOf,
  sendA2a,
  sendA2aError,
} from './a2a-errors.ts';
import { MalformedMessage, parseSendMessage, SendMessage } from './a2a-message.ts';
import type { A2aRpc } from './a2a-rpc.ts';
import {
  A2aRpcMessage,
  a2aResponses,
  a2aRpcResponses,
  DEFAULT_TASK_PAGE,
  ListTasks,
  SentMessage,
  TaskPage,
} from './a2a-schemas.ts';
import { limitOf } from './limit.ts';
import { RPC_ERROR, sendRpcError } from './mcp-errors.ts';

const rpcViolations = compileSchema(A2aRpcMessage);

/**
 * Operations of the protocol that this agent does not have, and what it says then. A literal colon is doubled. The
 * description leaves them out: it offers what can succeed.
 */
const REFUSED: [HTTPMethods, path: string, () => A2AError][] = [
  ['POST', '/message::stream', () => unsupported(STREAM)],
  ['GET', '/tasks/:id(^.+)::subscribe', () => unsupported(STREAM)],
  ['POST', '/tasks/:id(^.+)::subscribe', () => unsupported(STREAM)],
  ['GET', '/extendedAgentCard', () => unsupported(NO_CARD)],
  ['GET', '/tasks/:id', noSuchTask],
  ['POST', '/tasks/:id(^.+)::cancel', noSuchTask],
  ['GET', '/tasks/:id/pushNotificationConfigs', noPush],
  ['POST', '/tasks/:id/pushNotificationConfigs', noPush],
  ['GET', '/tasks/:id/pushNotificationConfigs/:configId', noPush],
  ['DELETE', '/tasks/:id/pushNotificationConfigs/:configId', noPush],
];

function unsupported(message: string): A2AError {
  return new UnsupportedOperationError(message);
}

export const a2aRoutes: Routes = (app, context) => {
  /** With the SDK that writes them. */
  const answers = context.later.add(() => import('./a2a-answer.ts'));
  void app.register(async (scope) => {
    await scope.register(rateLimit, limitOf(context.options));
    takeRawBodies(scope, A2A_MEDIA_TYPE);
    scope.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof A2AError)) throw error;
      context.node.metrics.countRefusal(reasonOf(error));
      return sendA2aError(reply, error, error instanceof MalformedMessage ? error.places : []);
    });
    scope.addHook('onRequest', (request, _reply, done) => {
      checkVersion(request);
      done();
    });

    scope.post(
      `${A2A_PATH}/message::send`,
      {
        schema: {
          operationId: 'sendA2aMessage',
          tags: ['discovery'],
          summary: 'Ask in words: status, join, work, tokens, replicas, safety',
          body: SendMessage,
          response: a2aResponses(SentMessage, 400, 404, 413),
        },
      },
      async (request, reply) => {
        const { answerMessage } = await answers();
        const message = parseSendMessage(bodyBytes(request));
        return sendA2a(reply, await answerMessage(context, message));
      },
    );

    scope.get<{ Querystring: Static<typeof ListTasks> }>(
      `${A2A_PATH}/tasks`,
      {
        schema: {
          operationId: 'listA2aTasks',
          tags: ['discovery'],
          summary: 'Tasks of A2A: always none',
          querystring: ListTasks,
          response: a2aResponses(TaskPage, 400),
        },
      },
      (request, reply) => {
        const { pageSize = DEFAULT_TASK_PAGE, pageToken = '' } = request.query;
        // All tasks there are fit on one page, so no token was ever given out.
        if (pageToken !== '') {
          const errors = [{ path: '/query/pageToken', message: 'was not given out' }];
          throw new ApiError('PARAMETER_INVALID', { errors });
        }
        const page: Static<typeof TaskPage> = {
          tasks: [],
          nextPageToken: '',
          pageSize,
          totalSize: 0,
        };
        return sendA2a(reply, page);
      },
    );

    let loading: Promise<A2aRpc> | null = null;
    scope.post(
      A2A_RPC_PATH,
      {
        schema: {
          operationId: 'callA2a',
          tags: ['discovery'],
          summary: 'The same in JSON-RPC: SendMessage of A2A 1.0, message/send of 0.3',
          body: A2aRpcMessage,
          response: a2aRpcResponses(),
        },
      },
      async (request, reply) => {
        loading ??= import('./a2a-rpc.ts').then(({ a2aRpc }) => a2aRpc(context));
        const answerTo = await loading;
        const [version = null] = versionsOf(request);
        return sendRpc(reply, request, (message) => answerTo(message, version));
      },
    );

    for (const [method, path, refusal] of REFUSED) {
      scope.route({
        method,
        url: `${A2A_PATH}${path}`,
        schema: { hide: true },
        handler: () => {
          throw refusal();
        },
      });
    }
  });
};

const VERSION_PARAMETER = 'A2A-Version';

/**
 * The version is a header or a query parameter, and its patch number says nothing (A2A v1.0.1 section 3.6). Who names none
 * gets 1.0 here, which the path names: see deviations of the manifest. In JSON-RPC it is 0.3, as the protocol says.
 * @throws VersionNotSupportedError
 */
function checkVersion(request: FastifyRequest): void {
  if (request.routeOptions.url === A2A_RPC_PATH) return;
  if (versionsOf(request).every((version) => version === A2A_VERSION)) return;
  throw new VersionNotSupportedError(
    `This path serves A2A ${A2A_VERSION}: send "A2A-Version: ${A2A_VERSION}". A2A 0.3 is served in JSON-RPC at ${A2A_RPC_PATH}, with "A2A-Version: 0.3" or none.`,
  );
}

/** All that a request names, without patch numbers. */
function versionsOf({ headers, query }: FastifyRequest): string[] {
  const named = [headers['a2a-version'], (query as Record<string, unknown>)[VERSION_PARAMETER]];
  return named
    .flat()
    .filter((version) => version !== undefined && version !== '')
    .map((version) => String(version).replace(/(?<=^\d+\.\d+)\.\d+$/, ''));
}

/** One message in, one answer out; what is no JSON-RPC is refused as it says (section 5.1). */
async function sendRpc(
  reply: FastifyReply,
  request: FastifyRequest,
  answerTo: (message: JsonValue) => Promise<object>,
): Promise<FastifyReply> {
  let message: JsonValue;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bodyBytes(request));
    message = JSON.parse(text) as JsonValue;
  } catch {
    const code = RPC_ERROR.parse;
    return sendRpcError(reply, 400, { code, message: 'The body is not JSON in UTF-8.' });
  }
  const [fault] = rpcViolations(message) ?? [];
  if (fault) {
    const code = RPC_ERROR.invalidRequest;
    const where = fault.path === '' ? 'The body' : fault.path;
    const text = `Send one JSON-RPC 2.0 request. ${where} ${fault.message}.`;
    return sendRpcError(reply, 400, { code, message: text });
  }
  return reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(Buffer.from(JSON.stringify(await answerTo(message))));
}
