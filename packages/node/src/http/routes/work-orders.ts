import { createWorkOrder, type WorkOrderRecord } from '@netd/ledger';
import { ActorId, Receipt, RecordId, type SignedIntent } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import { documentHead } from '../../documents/facts.ts';
import {
  ASSIGNMENT_MODES,
  WORK_ORDER_STATUSES,
  WorkOrderDocument,
  workOrderDocument,
  WorkOrderView,
  workOrderView,
} from '../../documents/work-order.ts';
import type { Routes } from '../context.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import { sendProblem } from '../problem.ts';
import {
  DEFAULT_PAGE_SIZE,
  documentSchema,
  found,
  NextCursor,
  pageQuery,
  problems,
} from '../schemas.ts';
import { ResourceBody, resourceProblems, submitResource } from '../resource.ts';

const ListQuery = Type.Object({
  status: Type.Optional(Type.Enum([...WORK_ORDER_STATUSES])),
  assignmentMode: Type.Optional(Type.Enum([...ASSIGNMENT_MODES])),
  agentId: Type.Optional(
    Type.String({ maxLength: 64, description: 'Named by the order, or its worker.' }),
  ),
  ...pageQuery(),
});
const OrderParams = Type.Object({ orderId: RecordId });

const WorkOrderList = documentSchema(
  'NET-WORK-ORDER-REGISTRY/1',
  {
    total: Type.Integer({ description: 'Orders ever created, whatever the filter.' }),
    byStatus: Type.Object(
      Object.fromEntries(WORK_ORDER_STATUSES.map((status) => [status, Type.Integer()])),
      { additionalProperties: false },
    ),
    orders: Type.Array(WorkOrderView, {
      description:
        'Newest first. With several filters a page may hold fewer than limit and still go on.',
    }),
    nextCursor: NextCursor,
  },
  'Work orders.',
);

const Created = Type.Object(
  {
    orderId: RecordId,
    requesterId: ActorId,
    status: Type.Literal('OPEN'),
    receipt: Receipt,
    links: Type.Object(
      { order: Type.String(), transition: Type.String(), proof: Type.String() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'The order is committed, its funding in escrow.' },
);

export const workOrderRoutes: Routes = (app, context) => {
  app.get<{ Querystring: Static<typeof ListQuery> }>(
    '/v1/work-orders',
    {
      schema: {
        operationId: 'listWorkOrders',
        tags: ['work'],
        summary: 'Work orders, by status, assignment mode and agent',
        querystring: ListQuery,
        response: { ...found(WorkOrderList), ...problems() },
      },
    },
    (request, reply) => {
      const { limit = DEFAULT_PAGE_SIZE, cursor, status, assignmentMode, agentId } = request.query;
      const filters = {
        status: status ?? null,
        assignmentMode: assignmentMode ?? null,
        agentId: agentId ?? null,
      };
      const below = readCursor('work-orders', filters, cursor);
      // The list of the most selective filter, the others record by record.
      const [list, value] =
        agentId !== undefined
          ? ['orders-by-agent', agentId]
          : status !== undefined
            ? ['orders-by-status', status]
            : assignmentMode !== undefined
              ? ['orders-by-mode', assignmentMode]
              : ['orders', ''];
      const keep = (order: WorkOrderRecord): boolean =>
        (status === undefined || order.status === status) &&
        (assignmentMode === undefined || order.assignmentMode === assignmentMode);
      return context.document(request, reply, (snapshot) => {
        const page = snapshot.list('order', list, { value, below, limit, keep });
        return {
          ...documentHead(snapshot, 'NET-WORK-ORDER-REGISTRY/1'),
          total: snapshot.get('counter', 'work-orders') ?? 0,
          byStatus: Object.fromEntries(
            WORK_ORDER_STATUSES.map((name) => [
              name,
              snapshot.get('counter', `work-orders-${name.toLowerCase()}`) ?? 0,
            ]),
          ),
          orders: page.items.map(workOrderView),
          nextCursor: makeCursor('work-orders', filters, page.next),
        };
      });
    },
  );

  app.get<{ Params: Static<typeof OrderParams> }>(
    '/v1/work-orders/:orderId',
    {
      schema: {
        operationId: 'getWorkOrder',
        tags: ['work'],
        summary: 'One work order',
        params: OrderParams,
        response: { ...found(WorkOrderDocument), ...problems(404) },
      },
    },
    (request, reply) => {
      const { orderId } = request.params;
      return context.read((snapshot) => snapshot.get('order', orderId)) === undefined
        ? sendProblem(reply, 'WORK_ORDER_NOT_FOUND')
        : context.document(request, reply, (snapshot) => workOrderDocument(snapshot, orderId));
    },
  );

  app.post(
    '/v1/work-orders',
    {
      schema: {
        operationId: 'createWorkOrder',
        tags: ['work'],
        summary: 'Create funded work: the signed intent of createWorkOrder',
        body: ResourceBody,
        response: { 201: Created, ...resourceProblems() },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitResource(context, request, createWorkOrder);
      const { actorId, payload } = envelope as unknown as SignedIntent;
      const { orderId } = payload as unknown as { orderId: string };
      const answer: Static<typeof Created> = {
        orderId,
        requesterId: actorId,
        status: 'OPEN',
        receipt,
        links: {
          order: `/v1/work-orders/${orderId}`,
          transition: `/v1/transitions/${receipt.transitionHash}`,
          proof: `/v1/state/proof?key=order/${orderId}`,
        },
      };
      return context.local(reply.header('location', answer.links.order), answer, 201);
    },
  );
};
