import { createWorkOrder } from '@netd/ledger';
import { ActorId, Receipt, RecordId, type SignedIntent } from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import { Links } from '../../documents/shared/links.ts';
import { noStore } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { ResourceBody, submitResource } from '../resource.ts';
import { writeProblems } from '../schemas.ts';

const Created = Type.Object(
  {
    orderId: RecordId,
    requesterId: ActorId,
    status: Type.Literal('OPEN'),
    receipt: Receipt,
    links: Links,
  },
  {
    title: 'WorkOrderCreated',
    additionalProperties: false,
    description: 'The order is committed, its funding in escrow.',
  },
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
        response: { 201: Created, ...writeProblems() },
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
      return context.send(reply.code(201).header('location', answer.links.order), answer, noStore);
    },
  );
};
