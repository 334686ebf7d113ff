import { commitMemoryCheckpoint, type MemoryCheckpoint } from '@netd/ledger';
import { ActorId, Hash, RecordId, type SignedIntent } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { defineCommitted, sendCommitted } from '../committed.ts';
import type { Routes } from '../context.ts';
import { ResourceBody, submitResource } from '../resource.ts';
import { writeProblems } from '../schemas.ts';

const CheckpointCommitted = defineCommitted(
  'NET-CHECKPOINT-COMMITTED/1',
  {
    status: Type.Literal('committed'),
    agentId: ActorId,
    checkpointId: RecordId,
    generation: Type.Integer(),
    checkpointHash: Hash,
  },
  { title: 'CheckpointCommitted', description: 'The checkpoint is committed.' },
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
        response: { 201: CheckpointCommitted.schema, ...writeProblems() },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitResource(context, request, commitMemoryCheckpoint);
      const { payload } = envelope as unknown as SignedIntent;
      const { agentId, checkpointId, generation, checkpointHash } =
        payload as unknown as MemoryCheckpoint;
      return sendCommitted(context, reply, CheckpointCommitted, {
        location: `/v1/transitions/${receipt.transitionHash}`,
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
      });
    },
  );
};
