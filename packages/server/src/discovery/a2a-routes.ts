/** A2A v1 over HTTP+JSON: messages in, one message out; there are no tasks, streams or push notifications. */
import {
  A2AError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors';
import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest, HTTPMethods } from 'fastify';
import type { Static } from '@netd/protocol/type';
import { ApiError } from '@netd/engine';
import type { Routes } from '../http/context.ts';
import { takeRawBodies } from '../http/raw-body.ts';
import { bodyBytes } from '../http/submit.ts';
import {
  A2A_MEDIA_TYPE,
  A2A_PATH,
  A2A_VERSION,
  noPush,
  NO_TASKS,
  reasonOf,
  sendA2a,
  sendA2aError,
} from './a2a-errors.ts';
import { MalformedMessage, parseSendMessage, SendMessage } from './a2a-message.ts';
import { a2aResponses, ListTasks, SentMessage, TaskPage } from './a2a-schemas.ts';
import { limitOf } from './limit.ts';

const DEFAULT_TASK_PAGE = 50;

const STREAM = 'Streams are not served; message:send answers at once.';

/**
 * Operations of the protocol that this agent does not have, and what it says then. A literal colon is doubled. The
 * description leaves them out: it offers what can succeed.
 */
const REFUSED: [HTTPMethods, path: string, () => A2AError][] = [
  ['POST', '/message::stream', () => unsupported(STREAM)],
  ['GET', '/tasks/:id(^.+)::subscribe', () => unsupported(STREAM)],
  ['POST', '/tasks/:id(^.+)::subscribe', () => unsupported(STREAM)],
  [
    'GET',
    '/extendedAgentCard',
    () => unsupported('There is no other card than /.well-known/agent-card.json.'),
  ],
  ['GET', '/tasks/:id', () => new TaskNotFoundError(NO_TASKS)],
  ['POST', '/tasks/:id(^.+)::cancel', () => new TaskNotFoundError(NO_TASKS)],
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
 * gets 1.0, which the path names: see deviations of the manifest.
 * @throws VersionNotSupportedError
 */
function checkVersion({ headers, query }: FastifyRequest): void {
  const named = [headers['a2a-version'], (query as Record<string, unknown>)[VERSION_PARAMETER]];
  const wrong = named.flat().some((version) => !isServed(version));
  if (wrong) throw new VersionNotSupportedError(`This path serves A2A ${A2A_VERSION} only.`);
}

function isServed(version: unknown): boolean {
  if (version === undefined || version === '') return true;
  return typeof version === 'string' && version.replace(/(?<=^\d+\.\d+)\.\d+$/, '') === A2A_VERSION;
}
