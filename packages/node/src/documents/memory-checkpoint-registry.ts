/** NET-MEMORY-CHECKPOINT-REGISTRY/1: commitments to encrypted memories. */
import { MemoryCheckpoint } from '@netd/ledger';
import { ChainPosition, Hash } from '@netd/protocol';
import Type from 'typebox';
import { defineDocument, PAGE_CONTENT, PAGE_QUERY, pageOf } from './read-document.ts';

export const memoryCheckpointRegistry = defineDocument({
  name: 'NET-MEMORY-CHECKPOINT-REGISTRY/1',
  route: '/v1/memory/checkpoints',
  operationId: 'listMemoryCheckpoints',
  tag: 'memory',
  summary: 'Committed memory checkpoints',
  description: 'Commitments to encrypted checkpoints of agents’ memories.',
  query: { agentId: Type.Optional(Type.String({ maxLength: 64 })), ...PAGE_QUERY },
  content: {
    total: Type.Integer({ description: 'Checkpoints ever committed, whatever the filter.' }),
    checkpoints: Type.Array(
      Type.Object(
        { ...MemoryCheckpoint.properties, committedAt: ChainPosition, transitionHash: Hash },
        { additionalProperties: false },
      ),
      { description: 'Commitments, newest first.' },
    ),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { agentId, ...page }) => {
    const { items, nextCursor } = pageOf(snapshot, 'memory-checkpoint', {
      ...(agentId === undefined
        ? { list: 'memory-checkpoints' }
        : { list: 'memory-checkpoints-by-agent', value: agentId }),
      filters: { agentId: agentId ?? null },
      page,
    });
    return {
      total: snapshot.get('counter', 'memory-checkpoints') ?? 0,
      checkpoints: items.map(({ checkpoint, committedAt, transitionHash }) => ({
        ...checkpoint,
        committedAt,
        transitionHash,
      })),
      nextCursor,
    };
  },
});
