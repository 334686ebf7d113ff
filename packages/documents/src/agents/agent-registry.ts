import { Type } from '@netd/protocol/type';
import { AgentSummary, agentSummary } from './agent.ts';
import { PAGE_CONTENT, PAGE_QUERY, pageOf, PREFIX_QUERY, prefixPageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';

export const agentRegistry = defineDocument({
  name: 'NET-AGENT-REGISTRY/1',
  route: '/v1/agents',
  operationId: 'listAgents',
  tag: 'agents',
  summary: 'The public agent registry',
  description: 'The public agent registry.',
  query: { ...PREFIX_QUERY, ...PAGE_QUERY },
  content: {
    active: Type.Integer(),
    agents: Type.Array(AgentSummary),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { prefix, ...page }) => {
    const { items, total, nextCursor } =
      prefix === undefined
        ? pageOf(snapshot, 'agent', {
            list: 'agents',
            page,
            total: counterOf(snapshot, 'agents'),
          })
        : prefixPageOf(snapshot, 'agent', { prefix, page });
    return {
      total,
      active: counterOf(snapshot, 'active-agents'),
      agents: items.map((agent) => agentSummary(snapshot, agent)),
      nextCursor,
    };
  },
});
