import { prepareMemoryHandover } from '@netd/ledger';
import { ActorId, RecordId, type SignedIntent } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { defineCommitted, sendCommitted } from '../committed.ts';
import type { Routes } from '../context.ts';
import { ResourceBody, submitResource } from '../resource.ts';
import { writeProblems } from '../schemas.ts';

const HandoverPrepared = defineCommitted(
  'NET-HANDOVER-PREPARED/1',
  {
    status: Type.Literal('committed'),
    agentId: ActorId,
    handoverId: RecordId,
    handoverStatus: Type.Literal('PREPARED'),
  },
  { title: 'HandoverPrepared', description: 'The handover is prepared; nothing has switched.' },
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
        response: { 201: HandoverPrepared.schema, ...writeProblems() },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitResource(context, request, prepareMemoryHandover);
      const { payload } = envelope as unknown as SignedIntent;
      const { agentId, handoverId } = payload as { agentId: string; handoverId: string };
      return sendCommitted(context, reply, HandoverPrepared, {
        location: `/v1/transitions/${receipt.transitionHash}`,
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
      });
    },
  );
};
