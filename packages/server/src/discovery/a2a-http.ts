import {
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
  taskStateFromJSON,
  TaskState,
} from '@a2a-js/sdk';
import { ServerCallContext } from '@a2a-js/sdk/server';
import type { Static } from '@netd/protocol/type';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpContext } from '../http/context.ts';
import { answerMessage } from './a2a-answer.ts';
import { notCancelable } from './a2a-errors.ts';
import { a2aHandler } from './a2a-handler.ts';
import type { SendMessage } from './a2a-message.ts';
import type { ListTasks } from './a2a-schemas.ts';
import { closedSignal, sendStream } from './a2a-stream.ts';
import { ALL, findTask, hasEnded } from './a2a-task.ts';

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

type Responses = AsyncGenerator<StreamResponse, void, undefined>;

const NO_SIGNAL = new AbortController().signal;
const CALL = new ServerCallContext({ requestedVersion: '1.0' });

export async function sendMessage(context: HttpContext, body: SendMessage): Promise<unknown> {
  const answer = await answerMessage(context, body);
  return 'messageId' in answer
    ? { message: Message.toJSON(answer) }
    : { task: Task.toJSON(answer) };
}

export function streamMessage(
  context: HttpContext,
  exchange: Exchange,
  body: SendMessage,
): Promise<FastifyReply> {
  const handler = a2aHandler(context, closedSignal(exchange.reply));
  const responses = handler.sendMessageStream(SendMessageRequest.fromJSON(body), CALL);
  return sendStream(context, exchange, inJson(responses));
}

export function subscribe(
  context: HttpContext,
  exchange: Exchange,
  id: string,
): Promise<FastifyReply> {
  const handler = a2aHandler(context, closedSignal(exchange.reply));
  return sendStream(context, exchange, inJson(handler.resubscribe({ tenant: '', id }, CALL)));
}

async function* inJson(responses: Responses): AsyncGenerator<object, void, undefined> {
  for await (const response of responses) yield StreamResponse.toJSON(response) as object;
}

export function oneTask(context: HttpContext, id: string, historyLength?: number): unknown {
  return Task.toJSON(findTask(context, id, { ...ALL, historyLength }));
}

export async function pageOfTasks(
  context: HttpContext,
  query: Static<typeof ListTasks>,
): Promise<unknown> {
  const { contextId = '', pageToken = '', status, includeArtifacts, ...others } = query;
  const page = await a2aHandler(context, NO_SIGNAL).listTasks(
    {
      tenant: '',
      contextId,
      pageToken,
      status: status === undefined ? TaskState.TASK_STATE_UNSPECIFIED : taskStateFromJSON(status),
      pageSize: others.pageSize,
      historyLength: others.historyLength,
      statusTimestampAfter: others.statusTimestampAfter,
      includeArtifacts: includeArtifacts === 'true',
    },
    CALL,
  );
  // Include default values, which clients read without a check.
  const { tasks = [] } = ListTasksResponse.toJSON(page) as { tasks?: unknown[] };
  const { nextPageToken, pageSize, totalSize } = page;
  return { tasks, nextPageToken, pageSize, totalSize };
}

export function refuseCancel(context: HttpContext, id: string): never {
  throw notCancelable(id, hasEnded(findTask(context, id)));
}
