import { randomUUID } from 'node:crypto';
import { Role, TaskState, type Message, type Part, type Task } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors';
import { ApiError } from '@netd/engine';
import type { JsonObject } from '@netd/protocol';
import type { HttpContext } from '../http/context.ts';
import { noPush } from './a2a-errors.ts';
import { MalformedMessage, questionOf, type SendMessage } from './a2a-message.ts';
import { wantedIntent, type WantedIntent } from './a2a-intent.ts';
import {
  ALL,
  dataPart,
  findTask,
  NOTHING_MORE,
  taskMessage,
  textPart,
  type TaskDetail,
} from './a2a-task.ts';
import { answerTo } from './answers.ts';
import { prepareIntent } from './prepare-intent.ts';

export async function answerMessage(
  context: HttpContext,
  { message, configuration }: SendMessage,
): Promise<Message | Task> {
  if (configuration?.taskPushNotificationConfig) throw noPush();
  const take = accepted(configuration?.acceptedOutputModes);
  const task = message.taskId ? findTask(context, message.taskId, detailOf(configuration)) : null;
  if (task && message.contextId && message.contextId !== task.contextId) {
    const path = '/message/contextId';
    throw new MalformedMessage('The task is of another context; leave contextId out.', [
      { path, message: `must be ${task.contextId}, the requester of the order` },
    ]);
  }
  const wanted = wantedIntent(message.parts);
  if (wanted) return answerIntent(context, { wanted, task, contextId: message.contextId, take });
  const question = questionOf({ message });
  if (task) return task;
  const { text, topics, documents } = await answerTo(context, question);
  const parts = take([textPart(text), dataPart({ documents, topics })]);
  return reply(message.contextId, parts);
}

export function detailOf(
  configuration: { historyLength?: number | null | undefined } | null | undefined,
): TaskDetail {
  return { ...ALL, historyLength: configuration?.historyLength ?? undefined };
}

const reply = (contextId: string | null | undefined, parts: Part[]): Message => ({
  ...NOTHING_MORE,
  messageId: randomUUID(),
  taskId: '',
  contextId: contextId || randomUUID(),
  role: Role.ROLE_AGENT,
  parts,
});

interface IntentQuestion {
  wanted: WantedIntent;
  task: Task | null;
  contextId: string | null | undefined;
  take: (parts: Part[]) => Part[];
}

function answerIntent(
  context: HttpContext,
  { wanted, task, contextId, take }: IntentQuestion,
): Message | Task {
  const { intent, place } = wanted;
  if (task) intent.payload = { orderId: task.id, ...intent.payload };
  const { orderId } = intent.payload;
  if (task && orderId !== task.id) {
    const path = `${place}/payload/orderId`;
    throw new MalformedMessage('The message is about two orders.', [
      { path, message: 'must be the taskId, or be left out' },
    ]);
  }
  const prepared = prepare(context, wanted);
  const { refusal, bytesSha256 } = prepared;
  const said =
    refusal === undefined
      ? `Sign: ${intent.action} waits for a signature of its actor. Check \`bytes\`, sign them with Ed25519, put the signature (base64) into \`envelope\` and POST that to ${context.options.publicUrl}/v1/intents. SHA-256 of the bytes: ${String(bytesSha256)}.`
      : `Refused: ${intent.action} would be refused now, so there is nothing to sign: ${refusal.code}. ${refusal.detail}`;
  const parts = take([textPart(said), dataPart(prepared as unknown as JsonObject)]);
  if (refusal !== undefined || typeof orderId !== 'string') return reply(contextId, parts);
  const order = { orderId, requesterId: task?.contextId ?? intent.actorId };
  return {
    id: orderId,
    contextId: order.requesterId,
    status: {
      state: TaskState.TASK_STATE_INPUT_REQUIRED,
      message: taskMessage(order, { id: randomUUID(), role: Role.ROLE_AGENT, parts }),
      timestamp: new Date().toISOString(),
    },
    artifacts: [],
    history: [],
    metadata: task?.metadata,
  };
}

interface Prepared {
  refusal?: { code: string; detail: string };
  bytesSha256?: string;
}

function prepare(context: HttpContext, { intent, place }: WantedIntent): Prepared {
  try {
    return prepareIntent(context, intent).structuredContent as Prepared;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'PARAMETER_INVALID') throw error;
    const errors = error.data.errors ?? [];
    throw new MalformedMessage(
      'The intent is none; see the places.',
      errors.map(({ path, message }) => ({ path: `${place}${path}`, message })),
    );
  }
}

function accepted(modes: readonly string[] | undefined): (parts: Part[]) => Part[] {
  return (parts) => {
    const taken = parts.filter(({ mediaType }) => wants(modes, mediaType));
    if (taken.length > 0) return taken;
    throw new ContentTypeNotSupportedError('Answers are text/plain and application/json.');
  };
}

function wants(modes: readonly string[] | undefined, type: string): boolean {
  if (!modes || modes.length === 0) return true;
  const [major] = type.split('/');
  return modes.some((mode) => {
    const name = mode.split(';')[0]?.trim().toLowerCase();
    return name === type || name === `${major}/*` || name === '*/*' || name === major;
  });
}
