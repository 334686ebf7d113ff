import { handoverAt, prepareMemoryHandover } from '@netd/ledger';
import {
  ActorId,
  ChainPosition,
  Hash,
  Height,
  Receipt,
  RecordId,
  type SignedIntent,
} from '@netd/protocol';
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

const HandoversQuery = Type.Object({
  agentId: Type.Optional(Type.String({ maxLength: 64 })),
  ...pageQuery(),
});

const PositionOrNull = Type.Union([ChainPosition, Type.Null()]);

const HandoverRegistry = documentSchema(
  'NET-MEMORY-HANDOVER-REGISTRY/1',
  {
    snapshot: SnapshotFacts,
    total: Type.Integer({ description: 'Handovers ever prepared, whatever the filter.' }),
    finalized: Type.Integer({ description: 'Those that changed the active runtime.' }),
    handovers: Type.Array(
      Type.Object(
        {
          handoverId: RecordId,
          agentId: ActorId,
          checkpointId: RecordId,
          checkpointHash: Hash,
          generation: Type.Integer(),
          stateRoot: Hash,
          sourceRuntimeId: Type.Union([RecordId, Type.Null()]),
          targetProviderId: ActorId,
          targetRuntimeId: RecordId,
          expiresAtHeight: Height,
          status: Type.Enum(['PREPARED', 'TARGET_RESTORED', 'FINALIZED', 'ABORTED']),
          abortCause: Type.Union([Type.Enum(['AGENT', 'EXPIRY']), Type.Null()]),
          preparedAt: ChainPosition,
          restoredAt: PositionOrNull,
          endedAt: PositionOrNull,
        },
        { additionalProperties: false },
      ),
      { description: 'Newest first.' },
    ),
    nextCursor: NextCursor,
  },
  'Handovers of agents to other runtimes: restored first, switched then.',
);

const HandoverPrepared = Type.Object(
  {
    status: Type.Literal('committed'),
    agentId: ActorId,
    handoverId: RecordId,
    handoverStatus: Type.Literal('PREPARED'),
    receipt: Receipt,
    links: Type.Object(
      { handovers: Type.String(), transition: Type.String(), proof: Type.String() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'The handover is prepared; nothing has switched.' },
);

export const memoryHandoverRoutes: Routes = (app, context) => {
  app.get<{ Querystring: Static<typeof HandoversQuery> }>(
    '/v1/memory/handovers',
    {
      schema: {
        operationId: 'listMemoryHandovers',
        tags: ['memory'],
        summary: 'Handovers of agents to other runtimes',
        querystring: HandoversQuery,
        response: { ...found(HandoverRegistry), ...problems() },
      },
    },
    (request, reply) => {
      const { limit = DEFAULT_PAGE_SIZE, cursor, agentId } = request.query;
      const filters = { agentId: agentId ?? null };
      const below = readCursor('memory-handovers', filters, cursor);
      return context.document(request, reply, (snapshot) => {
        const page = snapshot.list(
          'memory-handover',
          agentId === undefined ? 'memory-handovers' : 'memory-handovers-by-agent',
          { value: agentId ?? '', below, limit },
        );
        return {
          ...documentHead(snapshot, 'NET-MEMORY-HANDOVER-REGISTRY/1'),
          snapshot: snapshotFacts(snapshot),
          total: snapshot.get('counter', 'memory-handovers') ?? 0,
          finalized: snapshot.get('counter', 'finalized-memory-handovers') ?? 0,
          handovers: page.items.map((record) => handoverAt(record, snapshot.height)),
          nextCursor: makeCursor('memory-handovers', filters, page.next),
        };
      });
    },
  );

  app.post(
    '/v1/memory/handovers',
    {
      schema: {
        operationId: 'prepareMemoryHandover',
        tags: ['memory'],
        summary: 'Prepare a handover: the signed intent of prepareMemoryHandover',
        body: ResourceBody,
        response: { 201: HandoverPrepared, ...resourceProblems() },
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
      return context.local(reply.header('location', answer.links.transition), answer, 201);
    },
  );
};
