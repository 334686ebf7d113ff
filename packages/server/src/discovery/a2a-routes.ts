import { A2AError, UnsupportedOperationError, VersionNotSupportedError } from '@a2a-js/sdk/errors';
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { compileSchema, type JsonValue } from '@netd/protocol';
import type { Static } from '@netd/protocol/type';
import type { Routes } from '../http/context.ts';
import { takeRawBodies } from '../http/raw-body.ts';
import { bodyBytes } from '../http/submit.ts';
import {
  A2A_MEDIA_TYPE,
  A2A_PATH,
  A2A_RPC_PATH,
  A2A_VERSION,
  noPush,
  NO_CARD,
  reasonOf,
  sendA2a,
  sendA2aError,
} from './a2a-errors.ts';
import { MalformedMessage, parseSendMessage, SendMessage } from './a2a-message.ts';
import {
  A2aRpcMessage,
  A2aTask,
  a2aResponses,
  a2aRpcResponses,
  a2aStreamResponses,
  GetTask,
  ListTasks,
  SentMessage,
  TaskPage,
  TaskPath,
} from './a2a-schemas.ts';
import { limitAddresses } from './limit.ts';
import { RPC_ERROR, sendRpcError } from './mcp-errors.ts';

const rpcViolations = compileSchema(A2aRpcMessage);

/** Operations that this agent lacks. Fastify needs a literal colon doubled. */
const REFUSED: [HTTPMethods, path: string, () => A2AError][] = [
  ['GET', '/extendedAgentCard', () => unsupported(NO_CARD)],
  ['GET', '/tasks/:id/pushNotificationConfigs', noPush],
  ['POST', '/tasks/:id/pushNotificationConfigs', noPush],
  ['GET', '/tasks/:id/pushNotificationConfigs/:configId', noPush],
  ['DELETE', '/tasks/:id/pushNotificationConfigs/:configId', noPush],
];

const SUBSCRIBES = [
  ['GET', 'subscribeToA2aTask'],
  ['POST', 'postSubscribeToA2aTask'],
] as const;

function unsupported(message: string): A2AError {
  return new UnsupportedOperationError(message);
}

export const a2aRoutes: Routes = (app, context) => {
  const http = context.later.add(() => import('./a2a-http.ts'));
  void app.register(async (scope) => {
    await limitAddresses(scope, context);
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
        const { sendMessage } = await http();
        return sendA2a(reply, await sendMessage(context, parseSendMessage(bodyBytes(request))));
      },
    );

    scope.post(
      `${A2A_PATH}/message::stream`,
      {
        schema: {
          operationId: 'streamA2aMessage',
          tags: ['discovery'],
          summary:
            'The same as a stream: of a question one event, of a task each change until it ends',
          body: SendMessage,
          response: a2aStreamResponses(400, 404, 413),
        },
      },
      async (request, reply) => {
        const { streamMessage } = await http();
        return streamMessage(context, { request, reply }, parseSendMessage(bodyBytes(request)));
      },
    );

    scope.get<{ Querystring: Static<typeof ListTasks> }>(
      `${A2A_PATH}/tasks`,
      {
        schema: {
          operationId: 'listA2aTasks',
          tags: ['discovery'],
          summary: 'Work orders as tasks of A2A, newest first',
          querystring: ListTasks,
          response: a2aResponses(TaskPage, 400),
        },
      },
      async (request, reply) => {
        const { pageOfTasks } = await http();
        return sendA2a(reply, await pageOfTasks(context, request.query));
      },
    );

    scope.get<{ Params: TaskPath; Querystring: Static<typeof GetTask> }>(
      `${A2A_PATH}/tasks/:id`,
      {
        schema: {
          operationId: 'getA2aTask',
          tags: ['discovery'],
          summary: 'A work order as a task of A2A',
          params: TaskPath,
          querystring: GetTask,
          response: a2aResponses(A2aTask, 400, 404),
        },
      },
      async ({ params, query }, reply) => {
        const { oneTask } = await http();
        return sendA2a(reply, oneTask(context, params.id, query.historyLength));
      },
    );

    for (const [method, operationId] of SUBSCRIBES) {
      scope.route<{ Params: TaskPath }>({
        method,
        url: `${A2A_PATH}/tasks/:id(^.+)::subscribe`,
        schema: {
          operationId,
          tags: ['discovery'],
          summary: 'A task as a stream: as it is, then each change until it ends',
          params: TaskPath,
          response: a2aStreamResponses(400, 404),
        },
        handler: async (request, reply) => {
          const { subscribe } = await http();
          return subscribe(context, { request, reply }, request.params.id);
        },
      });
    }
    scope.post<{ Params: TaskPath }>(
      `${A2A_PATH}/tasks/:id(^.+)::cancel`,
      { schema: { hide: true } },
      async ({ params }) => {
        const { refuseCancel } = await http();
        return refuseCancel(context, params.id);
      },
    );

    const rpc = context.later.add(() => import('./a2a-rpc.ts'));
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
        const message = rpcMessageOf(request, reply);
        if (message === undefined) return reply;
        const { sendRpc } = await rpc();
        const [version = null] = versionsOf(request);
        return sendRpc(context, { request, reply }, { message, version });
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
 * Checks the version without its patch number (A2A v1.0.1 section 3.6). The default is 1.0, as in the path,
 * and 0.3 in JSON-RPC.
 * @throws VersionNotSupportedError
 */
function checkVersion(request: FastifyRequest): void {
  if (request.routeOptions.url === A2A_RPC_PATH) return;
  if (versionsOf(request).every((version) => version === A2A_VERSION)) return;
  throw new VersionNotSupportedError(
    `This path serves A2A ${A2A_VERSION}: send "A2A-Version: ${A2A_VERSION}". A2A 0.3 is served in JSON-RPC at ${A2A_RPC_PATH}, with "A2A-Version: 0.3" or none.`,
  );
}

function versionsOf({ headers, query }: FastifyRequest): string[] {
  const named = [headers['a2a-version'], (query as Record<string, unknown>)[VERSION_PARAMETER]];
  return named
    .flat()
    .filter((version) => version !== undefined && version !== '')
    .map((version) => String(version).replace(/(?<=^\d+\.\d+)\.\d+$/, ''));
}

/** Refuses an id beyond 2^53, because it was rounded and would name another request. */
function roundedId(message: JsonValue): { path: string; message: string } | undefined {
  const { id } = message as { id?: JsonValue };
  if (typeof id !== 'number' || Number.isSafeInteger(id)) return undefined;
  return { path: '/id', message: 'must be an integer below 2^53, or a string' };
}

/**
 * Parses JSON-RPC.
 * @returns undefined if the message is malformed and the refusal was sent (section 5.1)
 */
function rpcMessageOf(request: FastifyRequest, reply: FastifyReply): JsonValue | undefined {
  let message: JsonValue;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bodyBytes(request));
    message = JSON.parse(text) as JsonValue;
  } catch {
    const code = RPC_ERROR.parse;
    sendRpcError(reply, 400, { code, message: 'The body is not JSON in UTF-8.' });
    return undefined;
  }
  const [fault = roundedId(message)] = rpcViolations(message) ?? [];
  if (!fault) return message;
  const code = RPC_ERROR.invalidRequest;
  const where = fault.path === '' ? 'The body' : fault.path;
  sendRpcError(reply, 400, {
    code,
    message: `Send one JSON-RPC 2.0 request. ${where} ${fault.message}.`,
  });
  return undefined;
}
