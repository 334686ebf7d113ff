import { commitMemoryCheckpoint, MemoryCheckpoint } from '@netd/ledger';
import { ActorId, ChainPosition, Hash, Receipt, RecordId, type SignedIntent } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import { documentHead, snapshotFacts } from '../../documents/facts.ts';
import type { Routes } from '../context.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import { ResourceBody, resourceProblems, submitResource } from '../resource.ts';
import {
  DEFAULT_PAGE_SIZE,
  documentSchema,
  found,
  NextCursor,
  pageQuery,
  problems,
  SnapshotFacts,
} from '../schemas.ts';

const CheckpointsQuery = Type.Object({
  agentId: Type.Optional(Type.String({ maxLength: 64 })),
  ...pageQuery(),
});

const CheckpointRegistry = documentSchema(
  'NET-MEMORY-CHECKPOINT-REGISTRY/1',
  {
    snapshot: SnapshotFacts,
    total: Type.Integer({ description: 'Checkpoints ever committed, whatever the filter.' }),
    checkpoints: Type.Array(
      Type.Object(
        { ...MemoryCheckpoint.properties, committedAt: ChainPosition, transitionHash: Hash },
        { additionalProperties: false },
      ),
      { description: 'Commitments, newest first.' },
    ),
    nextCursor: NextCursor,
  },
  'Commitments to encrypted checkpoints of agents’ memories.',
);

const CheckpointCommitted = Type.Object(
  {
    status: Type.Literal('committed'),
    agentId: ActorId,
    checkpointId: RecordId,
    generation: Type.Integer(),
    checkpointHash: Hash,
    receipt: Receipt,
    links: Type.Object(
      { checkpoints: Type.String(), transition: Type.String(), proof: Type.String() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'The checkpoint is committed.' },
);

export const memoryCheckpointRoutes: Routes = (app, context) => {
  app.get<{ Querystring: Static<typeof CheckpointsQuery> }>(
    '/v1/memory/checkpoints',
    {
      schema: {
        operationId: 'listMemoryCheckpoints',
        tags: ['memory'],
        summary: 'Committed memory checkpoints',
        querystring: CheckpointsQuery,
        response: { ...found(CheckpointRegistry), ...problems() },
      },
    },
    (request, reply) => {
      const { limit = DEFAULT_PAGE_SIZE, cursor, agentId } = request.query;
      const filters = { agentId: agentId ?? null };
      const below = readCursor('memory-checkpoints', filters, cursor);
      return context.document(request, reply, (snapshot) => {
        const page = snapshot.list(
          'memory-checkpoint',
          agentId === undefined ? 'memory-checkpoints' : 'memory-checkpoints-by-agent',
          { value: agentId ?? '', below, limit },
        );
        return {
          ...documentHead(snapshot, 'NET-MEMORY-CHECKPOINT-REGISTRY/1'),
          snapshot: snapshotFacts(snapshot),
          total: snapshot.get('counter', 'memory-checkpoints') ?? 0,
          checkpoints: page.items.map(({ checkpoint, committedAt, transitionHash }) => ({
            ...checkpoint,
            committedAt,
            transitionHash,
          })),
          nextCursor: makeCursor('memory-checkpoints', filters, page.next),
        };
      });
    },
  );

  app.post(
    '/v1/memory/checkpoints',
    {
      schema: {
        operationId: 'commitMemoryCheckpoint',
        tags: ['memory'],
        summary: 'Commit a memory checkpoint: the signed intent of commitMemoryCheckpoint',
        body: ResourceBody,
        response: { 201: CheckpointCommitted, ...resourceProblems() },
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
      return context.local(reply.header('location', answer.links.transition), answer, 201);
    },
  );
};
