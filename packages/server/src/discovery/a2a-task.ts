import {
  Role,
  taskStateFromJSON,
  TaskState,
  type Artifact,
  type ListTasksResponse,
  type Message,
  type Part,
  type Task,
  type TaskStatus,
} from '@a2a-js/sdk';
import { TaskNotFoundError } from '@a2a-js/sdk/errors';
import {
  ORDER_TASKS,
  orderTask,
  type OrderTask,
  type OrderTaskPage,
  type OrderTaskQuery,
} from '@netd/documents';
import { ApiError } from '@netd/engine';
import type { JsonObject } from '@netd/protocol';
import { nextOfOrder, plainText } from '@netd/protocol/sentences';
import { untrusted } from '@netd/protocol/untrusted';
import type { HttpContext } from '../http/context.ts';
import { ReadQuery } from '../http/read-query.ts';
import { A2A_PATH, NO_SUCH_ORDER } from './a2a-errors.ts';
import { marked } from './marked.ts';

type Order = OrderTask['order'];

export interface TaskDetail {
  historyLength?: number | undefined;
  artifacts: boolean;
}

export const ALL: TaskDetail = { artifacts: true };

const ENDED: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

export const hasEnded = ({ status }: Task): boolean => ENDED.has(status?.state ?? -1);

export function findTask(context: HttpContext, orderId: string, detail: TaskDetail = ALL): Task {
  try {
    return taskOf(
      context.read((snapshot) => orderTask(snapshot, orderId)),
      detail,
    );
  } catch (error) {
    if (error instanceof ApiError && error.code === 'WORK_ORDER_NOT_FOUND') {
      throw new TaskNotFoundError(NO_SUCH_ORDER);
    }
    throw error;
  }
}

/**
 * @param detail.artifacts false by default, as in the protocol
 * @throws ApiError PARAMETER_INVALID
 */
export async function listTasks(
  context: HttpContext,
  query: OrderTaskQuery,
  detail: TaskDetail,
): Promise<ListTasksResponse> {
  const { limit: pageSize } = query;
  const parameters = { ...query };
  const url = `${A2A_PATH}/tasks?${JSON.stringify(parameters)}`;
  const text = await context.renderAt(url, new ReadQuery(ORDER_TASKS, parameters));
  const { tasks, total, nextCursor } = JSON.parse(text) as OrderTaskPage;
  return {
    tasks: tasks.map((found) => taskOf(found, { historyLength: 0, ...detail })),
    nextPageToken: nextCursor ?? '',
    pageSize,
    totalSize: total ?? tasks.length + (nextCursor === null ? 0 : 1),
  };
}

function taskOf(found: OrderTask, { historyLength, artifacts }: TaskDetail): Task {
  const { order, since } = found;
  return {
    id: order.orderId,
    contextId: order.requesterId,
    status: {
      state: taskStateFromJSON(found.state),
      message: statusMessage(found),
      timestamp: since ?? undefined,
    },
    artifacts: artifacts && order.result !== null ? [deliverable(found)] : [],
    history: historyLength === 0 ? [] : [asked(order)],
    metadata: {
      path: `/v1/work-orders/${encodeURIComponent(order.orderId)}`,
      status: order.status,
      phase: order.phase,
      reason: order.reason,
    },
  };
}

export function textPart(value: string): Part {
  return part({ $case: 'text', value }, 'text/plain');
}

export function dataPart(value: JsonObject): Part {
  return part({ $case: 'data', value }, 'application/json');
}

function part(content: Part['content'], mediaType: string): Part {
  return { content, mediaType, filename: '', metadata: undefined };
}

export const NOTHING_MORE = { metadata: undefined, extensions: [], referenceTaskIds: [] };

export function taskMessage(
  { orderId, requesterId }: Pick<Order, 'orderId' | 'requesterId'>,
  { id, role, parts }: { id: string; role: Role; parts: Part[] },
): Message {
  const messageId = `${orderId}:${id}`;
  return { ...NOTHING_MORE, messageId, taskId: orderId, contextId: requesterId, role, parts };
}

function statusMessage({ order, actions }: OrderTask): TaskStatus['message'] {
  const { phase, status, deadline } = order;
  return taskMessage(order, {
    id: phase === 'ENDED' ? status : phase,
    role: Role.ROLE_AGENT,
    parts: [textPart(sayState(order)), dataPart({ phase, deadline, actions })],
  });
}

function asked(order: Order): Message {
  const { title, jobType, requirements, requesterId, agentId, scopeHash, funding } = order;
  const says = untrusted(null, { title, jobType, requirements, requesterId, agentId });
  return taskMessage(order, {
    id: 'asked',
    role: Role.ROLE_USER,
    parts: [dataPart({ says, scopeHash, funding } as unknown as JsonObject)],
  });
}

function deliverable({ order, receipt }: OrderTask): Artifact {
  const { result } = order;
  const { deliverableHash = '', evidence = null } = result ?? {};
  return {
    artifactId: 'deliverable',
    name: 'Deliverable',
    description:
      'What was delivered, by its hash; the bytes lie in the stores of /v1/discovery?capability=blobs, as {endpoint}/blobs/{deliverableHash}.',
    parts: [
      dataPart({
        deliverableHash,
        evidence: evidence === null ? null : untrusted(null, evidence),
        paid: receipt?.paid ?? null,
      } as unknown as JsonObject),
    ],
    metadata: undefined,
    extensions: [],
  };
}

function sayState(order: Order): string {
  const { now, next, by } = nextOfOrder(order);
  const until = by === null ? '' : ` Until height ${by.height} and ${by.time}.`;
  return `${now}. ${plainText(next, marked)}${until}`;
}
