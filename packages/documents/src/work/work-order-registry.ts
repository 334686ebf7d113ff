import { WORK_ORDER_STATUSES, ORDER_COUNTERS, type Collections } from '@netd/ledger';
import { exactly, Type } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import {
  PAGE_CONTENT,
  PAGE_QUERY,
  pageOf,
  PREFIX_QUERY,
  prefixPageOf,
  type ListChoice,
} from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';
import { AssignmentMode, WorkOrderStatus, WorkOrderView, workOrderView } from './work-order.ts';

type Order = Collections['order'];
type Status = (typeof WORK_ORDER_STATUSES)[number];

export const workOrderRegistry = defineDocument({
  name: 'NET-WORK-ORDER-REGISTRY/1',
  route: '/v1/work-orders',
  operationId: 'listWorkOrders',
  tag: 'work',
  summary: 'Work orders, by status, assignment mode and agent',
  description: 'Work orders.',
  query: {
    status: Type.Optional(WorkOrderStatus),
    assignmentMode: Type.Optional(AssignmentMode),
    agentId: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Only orders that name this agent or that it works on.',
      }),
    ),
    requesterId: Type.Optional(
      Type.String({ maxLength: 64, description: 'Only orders of this requester.' }),
    ),
    ...PREFIX_QUERY,
    ...PAGE_QUERY,
  },
  content: {
    byStatus: exactly(
      Object.fromEntries(WORK_ORDER_STATUSES.map((status) => [status, Type.Integer()])),
    ),
    orders: Type.Array(WorkOrderView),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { status, assignmentMode, agentId, requesterId, prefix, ...page }) => {
    // List by the most selective filter; `keep` applies the others.
    const index: ListChoice<'order'> =
      agentId !== undefined
        ? { list: 'orders-by-agent', value: agentId }
        : requesterId !== undefined
          ? { list: 'orders-by-requester', value: requesterId }
          : status !== undefined
            ? { list: 'orders-by-status', value: status }
            : assignmentMode !== undefined
              ? { list: 'orders-by-mode', value: assignmentMode }
              : { list: 'orders' };
    const filters = {
      status: status ?? null,
      assignmentMode: assignmentMode ?? null,
      agentId: agentId ?? null,
      ...(requesterId === undefined ? {} : { requesterId }),
    };
    const keep = (order: Order): boolean =>
      (status === undefined || order.status === status) &&
      (assignmentMode === undefined || order.assignmentMode === assignmentMode) &&
      (requesterId === undefined || order.requesterId === requesterId) &&
      (agentId === undefined || order.agentId === agentId || order.workerId === agentId);
    const { items, total, nextCursor } =
      prefix === undefined
        ? pageOf(snapshot, 'order', {
            ...index,
            filters,
            page,
            total: requesterId === undefined ? totalOf(snapshot, filters) : null,
            keep,
          })
        : prefixPageOf(snapshot, 'order', { prefix, page, keep });
    return {
      total,
      byStatus: Object.fromEntries(
        WORK_ORDER_STATUSES.map((name) => [name, counterOf(snapshot, ORDER_COUNTERS[name])]),
      ),
      orders: items.map(workOrderView),
      nextCursor,
    };
  },
});

/** Returns a total only if status is the only filter, because no other counts are kept. */
function totalOf(
  snapshot: Snapshot,
  filters: { status: Status | null; assignmentMode: string | null; agentId: string | null },
): number | null {
  const { status, assignmentMode, agentId } = filters;
  if (agentId !== null || assignmentMode !== null) return null;
  return status === null
    ? counterOf(snapshot, 'work-orders')
    : counterOf(snapshot, ORDER_COUNTERS[status]);
}
