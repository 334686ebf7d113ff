import { prepareMemoryHandover } from '@netd/ledger';
import { ActorId, Receipt, RecordId, type SignedIntent } from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import { Links } from '../../documents/shared/links.ts';
import { noStore } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { ResourceBody, submitResource } from '../resource.ts';
import { writeProblems } from '../schemas.ts';

const HandoverPrepared = Type.Object(
  {
    status: Type.Literal('committed'),
    agentId: ActorId,
    handoverId: RecordId,
    handoverStatus: Type.Literal('PREPARED'),
    receipt: Receipt,
    links: Links,
  },
  {
    title: 'HandoverPrepared',
    additionalProperties: false,
    description: 'The handover is prepared; nothing has switched.',
  },
);

export const memoryHandoverRoutes: Routes = (app, context) => {
  app.post(
    '/v1/memory/handovers',
    {
      schema: {
        operationId: 'prepareMemoryHandover',
        tags: ['memory'],
        summary: 'Prepare a handover: the signed intent of prepareMemoryHandover',
        body: ResourceBody,
        response: { 201: HandoverPrepared, ...writeProblems() },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitResource(context, request, prepareMemoryHandover);
      const { payload } = envelope as unknown as SignedIntent;
      const { agentId, handoverId } = payload as { agentId: string; handoverId: string };
      const answer: Static<typeof HandoverPrepared> = {
        status: 'committed',
        agentId,
        handoverId,
        handoverStatus: 'PREPARED',
        receipt,
        links: {
          handovers: `/v1/memory/handovers?agentId=${agentId}`,
          transition: `/v1/transitions/${receipt.transitionHash}`,
          proof: `/v1/state/proof?key=memory-handover/${handoverId}`,
        },
      };
      return context.send(
        reply.code(201).header('location', answer.links.transition),
        answer,
        noStore,
      );
    },
  );
};
