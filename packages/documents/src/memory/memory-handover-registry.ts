import { agentStatsOf, handoverAt, MemoryHandoverRecord } from '@netd/ledger';
import { Type } from '@netd/protocol/type';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';

export const memoryHandoverRegistry = defineDocument({
  name: 'NET-MEMORY-HANDOVER-REGISTRY/1',
  route: '/v1/memory/handovers',
  operationId: 'listMemoryHandovers',
  tag: 'memory',
  summary: 'Handovers of agents to other runtimes',
  description: 'Handovers of agents to other runtimes: restored first, switched then.',
  query: { agentId: Type.Optional(Type.String({ maxLength: 64 })), ...PAGE_QUERY },
  content: {
    finalized: Type.Integer(),
    handovers: Type.Array(MemoryHandoverRecord),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { agentId, ...page }) => {
    const { items, total, nextCursor } = pageOf(snapshot, 'memory-handover', {
      ...(agentId === undefined
        ? { list: 'memory-handovers' }
        : { list: 'memory-handovers-by-agent', value: agentId }),
      filters: { agentId: agentId ?? null },
      page,
      total:
        agentId === undefined
          ? counterOf(snapshot, 'memory-handovers')
          : agentStatsOf(snapshot, agentId).handovers,
    });
    return {
      total,
      finalized: counterOf(snapshot, 'finalized-memory-handovers'),
      handovers: items.map((record) => handoverAt(record, snapshot.height + 1)),
      nextCursor,
    };
  },
});
