import { commitMemoryCheckpoint, type MemoryCheckpoint } from '@netd/ledger';
import { ActorId, Hash, Receipt, RecordId, type SignedIntent } from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import { Links } from '../../documents/shared/links.ts';
import { noStore } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { ResourceBody, submitResource } from '../resource.ts';
import { writeProblems } from '../schemas.ts';

const CheckpointCommitted = Type.Object(
  {
    status: Type.Literal('committed'),
    agentId: ActorId,
    checkpointId: RecordId,
    generation: Type.Integer(),
    checkpointHash: Hash,
    receipt: Receipt,
    links: Links,
  },
  {
    title: 'CheckpointCommitted',
    additionalProperties: false,
    description: 'The checkpoint is committed.',
  },
);

export const memoryCheckpointRoutes: Routes = (app, context) => {
  app.post(
    '/v1/memory/checkpoints',
    {
      schema: {
        operationId: 'commitMemoryCheckpoint',
        tags: ['memory'],
        summary: 'Commit a memory checkpoint: the signed intent of commitMemoryCheckpoint',
        body: ResourceBody,
        response: { 201: CheckpointCommitted, ...writeProblems() },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitResource(context, request, commitMemoryCheckpoint);
      const { payload } = envelope as unknown as SignedIntent;
      const { agentId, checkpointId, generation, checkpointHash } =
        payload as unknown as MemoryCheckpoint;
      const answer: Static<typeof CheckpointCommitted> = {
        status: 'committed',
        agentId,
        checkpointId,
        generation,
        checkpointHash,
        receipt,
        links: {
          checkpoints: `/v1/memory/checkpoints?agentId=${agentId}`,
          transition: `/v1/transitions/${receipt.transitionHash}`,
          proof: `/v1/state/proof?key=memory-checkpoint/${checkpointId}`,
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
