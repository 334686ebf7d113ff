/** A2A v1 over HTTP+JSON: messages in, one message out; there are no tasks, streams or push notifications. */
import { randomUUID } from 'node:crypto';
import { Role, SendMessageResponse, type Part } from '@a2a-js/sdk';
import {
  A2AError,
  ContentTypeNotSupportedError,
  PushNotificationNotSupportedError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors';
import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest, HTTPMethods } from 'fastify';
import type { Static } from 'typebox';
import type { HttpContext, Routes } from '../http/context.ts';
import { takeRawBodies } from '../http/raw-body.ts';
import { bodyBytes } from '../http/submit.ts';
import { A2A_MEDIA_TYPE, A2A_PATH, sendA2a, sendA2aError } from './a2a-errors.ts';
import { MalformedMessage, parseSendMessage, questionOf, SendMessage } from './a2a-message.ts';
import { a2aResponses, ListTasks, SentMessage, TaskPage } from './a2a-schemas.ts';
import { answerTo } from './answers.ts';
import { limitOf } from './limit.ts';

/** The version this path serves. */
const SERVED_VERSION = '1.0';
const DEFAULT_TASK_PAGE = 50;

const PUSH = 'Push notifications are not served; ask again instead.';
const STREAM = 'Streams are not served; message:send answers at once.';
const TASKS = 'There are no tasks: message:send answers at once.';

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
  ['GET', '/tasks/:id', () => new TaskNotFoundError(TASKS)],
  ['POST', '/tasks/:id(^.+)::cancel', () => new TaskNotFoundError(TASKS)],
  ['GET', '/tasks/:id/pushNotificationConfigs', noPush],
  ['POST', '/tasks/:id/pushNotificationConfigs', noPush],
  ['GET', '/tasks/:id/pushNotificationConfigs/:configId', noPush],
  ['DELETE', '/tasks/:id/pushNotificationConfigs/:configId', noPush],
];

function unsupported(message: string): A2AError {
  return new UnsupportedOperationError(message);
}

function noPush(): A2AError {
  return new PushNotificationNotSupportedError(PUSH);
}

export const a2aRoutes: Routes = (app, context) => {
  void app.register(async (scope) => {
    await scope.register(rateLimit, limitOf(context.options));
    takeRawBodies(scope, A2A_MEDIA_TYPE);
    scope.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof A2AError)) throw error;
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
      (request, reply) =>
        sendA2a(reply, answerMessage(context, parseSendMessage(bodyBytes(request)))),
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
        const { pageSize = DEFAULT_TASK_PAGE } = request.query;
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

/** @throws VersionNotSupportedError */
function checkVersion({ headers }: FastifyRequest): void {
  const version = headers['a2a-version'];
  if (version === undefined || version === '' || version === SERVED_VERSION) return;
  throw new VersionNotSupportedError(`This path serves A2A ${SERVED_VERSION} only.`);
}

/** @throws A2AError where the message wants what there is not */
function answerMessage(context: HttpContext, { message, configuration }: SendMessage): unknown {
  if (message.taskId) throw new TaskNotFoundError(TASKS);
  if (configuration?.taskPushNotificationConfig) throw noPush();
  const question = questionOf({ message });
  const wanted = (type: string): boolean => wants(configuration?.acceptedOutputModes, type);
  const parts: Part[] = [];
  const { text, topics, documents } = answerTo(context, question);
  if (wanted('text/plain')) {
    parts.push(part({ $case: 'text', value: text }, 'text/plain'));
  }
  if (wanted('application/json')) {
    parts.push(part({ $case: 'data', value: { documents, topics } }, 'application/json'));
  }
  if (parts.length === 0) {
    throw new ContentTypeNotSupportedError('Answers are text/plain and application/json.');
  }
  return SendMessageResponse.toJSON({
    payload: {
      $case: 'message',
      value: {
        messageId: randomUUID(),
        contextId: message.contextId || randomUUID(),
        taskId: '',
        role: Role.ROLE_AGENT,
        parts,
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
    },
  });
}

function part(content: Part['content'], mediaType: string): Part {
  return { content, mediaType, filename: '', metadata: undefined };
}

/** Whether a client that accepts these media types (all, where it names none) takes this one. */
function wants(modes: readonly string[] | undefined, type: string): boolean {
  if (!modes || modes.length === 0) return true;
  const [major] = type.split('/');
  return modes.some((mode) => {
    const name = mode.split(';')[0]?.trim().toLowerCase();
    return name === type || name === `${major}/*` || name === '*/*' || name === major;
  });
}
