import { ORDER_COUNTERS, type WorkOrderRecord, type WorkReceiptRecord } from '@netd/ledger';
import type { ChainPosition } from '@netd/protocol';
import { ApiError, type Snapshot } from '@netd/engine/reads';
import { counterOf } from '../shared/counter.ts';
import { pageOf, type ListChoice } from '../shared/page.ts';
import { orderAt, workOrderView } from './work-order.ts';
import { stepsOf } from './work-steps.ts';

export const ORDER_TASKS = 'NET-ORDER-TASKS/1';

const ENDED_STATES = {
  CANCELLED: 'TASK_STATE_CANCELED',
  // No agent did the work.
  ACCEPTANCE_TIMEOUT: 'TASK_STATE_REJECTED',
  RELEASED: 'TASK_STATE_REJECTED',
  SCOPE_UNJUDGEABLE: 'TASK_STATE_REJECTED',
  DELIVERY_TIMEOUT: 'TASK_STATE_FAILED',
  VERIFICATION_REJECTED: 'TASK_STATE_FAILED',
  VERIFICATION_TIMEOUT: 'TASK_STATE_FAILED',
  UNVERIFIED: 'TASK_STATE_FAILED',
  DISPUTE_UPHELD: 'TASK_STATE_FAILED',
  DISPROVEN: 'TASK_STATE_FAILED',
  SPLIT: 'TASK_STATE_FAILED',
} as const satisfies Record<NonNullable<WorkOrderRecord['reason']>, string>;

type OrderTaskState =
  | 'TASK_STATE_SUBMITTED'
  | 'TASK_STATE_WORKING'
  | 'TASK_STATE_COMPLETED'
  | (typeof ENDED_STATES)[keyof typeof ENDED_STATES];

function taskStateOf({ status, reason }: WorkOrderRecord): OrderTaskState {
  if (status === 'OPEN') return 'TASK_STATE_SUBMITTED';
  if (status === 'PAID') return 'TASK_STATE_COMPLETED';
  if (status === 'REJECTED' && reason !== null) return ENDED_STATES[reason];
  return 'TASK_STATE_WORKING';
}

export interface OrderTask {
  order: ReturnType<typeof workOrderView>;
  state: OrderTaskState;
  /** The start of the current phase; null if only a fork's origin has that block. */
  since: string | null;
  actions: string[];
  receipt: WorkReceiptRecord | null;
}

export function orderTask(snapshot: Snapshot, orderId: string): OrderTask {
  return taskOf(snapshot, orderAt(snapshot, orderId));
}

function taskOf(snapshot: Snapshot, order: WorkOrderRecord): OrderTask {
  return {
    order: workOrderView(order),
    state: taskStateOf(order),
    since: timeAt(snapshot, since(order)),
    actions: [...new Set(stepsOf(snapshot, order).map(({ action }) => action))],
    receipt: snapshot.get('work-receipt', order.orderId) ?? null,
  };
}

function since(order: WorkOrderRecord): ChainPosition {
  const { endedAt, dispute, result, acceptedAt, createdAt } = order;
  return endedAt ?? dispute?.openedAt ?? result?.submittedAt ?? acceptedAt ?? createdAt;
}

function timeAt(snapshot: Snapshot, { height }: ChainPosition): string | null {
  return snapshot.blockAt(height)?.header.timestamp ?? null;
}

export interface OrderTaskQuery {
  requesterId?: string;
  state?: string;
  since?: number;
  limit: number;
  cursor?: string;
}

export interface OrderTaskPage {
  tasks: OrderTask[];
  total: number | null;
  nextCursor: string | null;
}

/**
 * Returns the newest tasks first.
 * @throws ApiError CURSOR_INVALID, with A2A's parameter name
 */
export function orderTaskPage(snapshot: Snapshot, query: OrderTaskQuery): OrderTaskPage {
  const { requesterId, state, since: after, limit, cursor } = query;
  const choice: ListChoice<'order'> =
    requesterId === undefined ? listOf(state) : { list: 'orders-by-requester', value: requesterId };
  const filters = { requesterId: requesterId ?? null, state: state ?? null, after: after ?? null };
  try {
    const { items, total, nextCursor } = pageOf(snapshot, 'order', {
      ...choice,
      filters,
      page: { limit, ...(cursor === undefined ? {} : { cursor }) },
      total: totalOf(snapshot, query),
      keep: (order) =>
        (state === undefined || taskStateOf(order) === state) &&
        (after === undefined || isSince(snapshot, order, after)),
    });
    return { tasks: items.map((order) => taskOf(snapshot, order)), total, nextCursor };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CURSOR_INVALID') throw error;
    const errors = [{ path: '/query/pageToken', message: 'was not given out for this list' }];
    throw new ApiError('PARAMETER_INVALID', { errors });
  }
}

function isSince(snapshot: Snapshot, order: WorkOrderRecord, after: number): boolean {
  const time = timeAt(snapshot, since(order));
  return time !== null && Date.parse(time) >= after;
}

function listOf(state: string | undefined): ListChoice<'order'> {
  if (state === undefined || state === 'TASK_STATE_WORKING') return { list: 'orders' };
  if (state === 'TASK_STATE_SUBMITTED') return { list: 'orders-by-status', value: 'OPEN' };
  if (state === 'TASK_STATE_COMPLETED') return { list: 'orders-by-status', value: 'PAID' };
  return { list: 'orders-by-status', value: 'REJECTED' };
}

function totalOf(
  snapshot: Snapshot,
  { requesterId, state, since: after }: OrderTaskQuery,
): number | null {
  if (after !== undefined) return null;
  const count = (status: keyof typeof ORDER_COUNTERS): number =>
    counterOf(snapshot, ORDER_COUNTERS[status]);
  if (requesterId !== undefined) {
    if (state !== undefined) return null;
    return snapshot.get('work-stats', requesterId)?.requested.funded ?? 0;
  }
  switch (state) {
    case undefined:
      return counterOf(snapshot, 'work-orders');
    case 'TASK_STATE_SUBMITTED':
      return count('OPEN');
    case 'TASK_STATE_WORKING':
      return count('ACCEPTED') + count('VERIFYING');
    case 'TASK_STATE_COMPLETED':
      return count('PAID');
    default:
      return null;
  }
}
