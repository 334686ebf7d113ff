/** NET-WORK-ORDER-REGISTRY/1: work orders by what they are and whom they concern. */
import Type from 'typebox';
import { defineDocument, PAGE_CONTENT, PAGE_QUERY, pageOf } from './read-document.ts';
import {
  ASSIGNMENT_MODES,
  WORK_ORDER_STATUSES,
  WorkOrderView,
  workOrderView,
} from './work-order.ts';

export const workOrderRegistry = defineDocument({
  name: 'NET-WORK-ORDER-REGISTRY/1',
  route: '/v1/work-orders',
  operationId: 'listWorkOrders',
  tag: 'work',
  summary: 'Work orders, by status, assignment mode and agent',
  description: 'Work orders.',
  query: {
    status: Type.Optional(Type.Enum([...WORK_ORDER_STATUSES])),
    assignmentMode: Type.Optional(Type.Enum([...ASSIGNMENT_MODES])),
    agentId: Type.Optional(
      Type.String({ maxLength: 64, description: 'Named by the order, or its worker.' }),
    ),
    ...PAGE_QUERY,
  },
  content: {
    total: Type.Integer({ description: 'Orders ever created, whatever the filter.' }),
    byStatus: Type.Object(
      Object.fromEntries(WORK_ORDER_STATUSES.map((status) => [status, Type.Integer()])),
      { additionalProperties: false },
    ),
    orders: Type.Array(WorkOrderView, {
      description:
        'Newest first. With several filters a page may hold fewer than limit and still go on.',
    }),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { status, assignmentMode, agentId, ...page }) => {
    // The list of the most selective filter, the others record by record.
    const index =
      agentId !== undefined
        ? { list: 'orders-by-agent', value: agentId }
        : status !== undefined
          ? { list: 'orders-by-status', value: status }
          : assignmentMode !== undefined
            ? { list: 'orders-by-mode', value: assignmentMode }
            : { list: 'orders' };
    const { items, nextCursor } = pageOf(snapshot, 'order', {
      ...index,
      filters: {
        status: status ?? null,
        assignmentMode: assignmentMode ?? null,
        agentId: agentId ?? null,
      },
      page,
      keep: (order) =>
        (status === undefined || order.status === status) &&
        (assignmentMode === undefined || order.assignmentMode === assignmentMode),
    });
    return {
      total: snapshot.get('counter', 'work-orders') ?? 0,
      byStatus: Object.fromEntries(
        WORK_ORDER_STATUSES.map((name) => [
          name,
          snapshot.get('counter', `work-orders-${name.toLowerCase()}`) ?? 0,
        ]),
      ),
      orders: items.map(workOrderView),
      nextCursor,
    };
  },
});
