/** NET-MEMORY-HANDOVER-REGISTRY/1: agents that move to another runtime. */
import { handoverAt } from '@netd/ledger';
import { ActorId, ChainPosition, Hash, Height, RecordId } from '@netd/protocol';
import Type from 'typebox';
import { defineDocument, PAGE_CONTENT, PAGE_QUERY, pageOf } from './read-document.ts';

const PositionOrNull = Type.Union([ChainPosition, Type.Null()]);

export const memoryHandoverRegistry = defineDocument({
  name: 'NET-MEMORY-HANDOVER-REGISTRY/1',
  route: '/v1/memory/handovers',
  operationId: 'listMemoryHandovers',
  tag: 'memory',
  summary: 'Handovers of agents to other runtimes',
  description: 'Handovers of agents to other runtimes: restored first, switched then.',
  query: { agentId: Type.Optional(Type.String({ maxLength: 64 })), ...PAGE_QUERY },
  content: {
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
    ...PAGE_CONTENT,
  },
  build: (snapshot, { agentId, ...page }) => {
    const { items, nextCursor } = pageOf(snapshot, 'memory-handover', {
      ...(agentId === undefined
        ? { list: 'memory-handovers' }
        : { list: 'memory-handovers-by-agent', value: agentId }),
      filters: { agentId: agentId ?? null },
      page,
    });
    return {
      total: snapshot.get('counter', 'memory-handovers') ?? 0,
      finalized: snapshot.get('counter', 'finalized-memory-handovers') ?? 0,
      handovers: items.map((record) => handoverAt(record, snapshot.height)),
      nextCursor,
    };
  },
});
