import { MemoryCheckpoint } from '@netd/ledger';
import { ChainPosition, Hash } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';

export const memoryCheckpointRegistry = defineDocument({
  name: 'NET-MEMORY-CHECKPOINT-REGISTRY/1',
  route: '/v1/memory/checkpoints',
  operationId: 'listMemoryCheckpoints',
  tag: 'memory',
  summary: 'Committed memory checkpoints',
  description: 'Commitments to encrypted checkpoints of agents’ memories.',
  query: { agentId: Type.Optional(Type.String({ maxLength: 64 })), ...PAGE_QUERY },
  content: {
    checkpoints: Type.Array(
      exactly({ ...MemoryCheckpoint.properties, committedAt: ChainPosition, transitionHash: Hash }),
    ),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { agentId, ...page }) => {
    const { items, total, nextCursor } = pageOf(snapshot, 'memory-checkpoint', {
      ...(agentId === undefined
        ? { list: 'memory-checkpoints' }
        : { list: 'memory-checkpoints-by-agent', value: agentId }),
      filters: { agentId: agentId ?? null },
      page,
      total:
        agentId === undefined
          ? counterOf(snapshot, 'memory-checkpoints')
          : (snapshot.get('memory', agentId)?.generation ?? 0),
    });
    return {
      total,
      checkpoints: items.map(({ checkpoint, committedAt, transitionHash }) => ({
        ...checkpoint,
        committedAt,
        transitionHash,
      })),
      nextCursor,
    };
  },
});
