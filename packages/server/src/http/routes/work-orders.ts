import { createWorkOrder } from '@netd/ledger';
import { ActorId, RecordId, type SignedIntent } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { OrderWarnings } from '@netd/documents';
import { defineCommitted, sendCommitted } from '../committed.ts';
import type { Routes } from '../context.ts';
import { warningsOf } from '../order-warnings.ts';
import { ResourceBody, submitResource } from '../resource.ts';
import { writeProblems } from '../schemas.ts';

const Created = defineCommitted(
  'NET-WORK-ORDER-CREATED/1',
  {
    orderId: RecordId,
    requesterId: ActorId,
    status: Type.Literal('OPEN'),
    warnings: OrderWarnings,
  },
  { title: 'WorkOrderCreated', description: 'The order is committed, its funding in escrow.' },
);

export const workOrderRoutes: Routes = (app, context) => {
  app.post(
    '/v1/work-orders',
    {
      schema: {
        operationId: 'createWorkOrder',
        tags: ['work'],
        summary: 'Create funded work: the signed intent of createWorkOrder',
        body: ResourceBody,
        response: { 201: Created.schema, ...writeProblems() },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitResource(context, request, createWorkOrder);
      const { actorId, payload } = envelope as unknown as SignedIntent;
      const { orderId } = payload as unknown as { orderId: string };
      return sendCommitted(context, reply, Created, {
        location: `/v1/work-orders/${orderId}`,
        orderId,
        requesterId: actorId,
        status: 'OPEN',
        warnings: warningsOf(context, orderId),
        receipt,
        links: {
          order: `/v1/work-orders/${orderId}`,
          transition: `/v1/transitions/${receipt.transitionHash}`,
          proof: `/v1/state/proof?key=order/${orderId}`,
        },
      });
    },
  );
};
