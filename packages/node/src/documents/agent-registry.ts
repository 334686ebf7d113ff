/** NET-AGENT-REGISTRY/1: every agent that ever registered. */
import Type from 'typebox';
import { AgentSummary, agentSummary } from './agent.ts';
import { defineDocument, PAGE_CONTENT, PAGE_QUERY, pageOf } from './read-document.ts';

export const agentRegistry = defineDocument({
  name: 'NET-AGENT-REGISTRY/1',
  route: '/v1/agents',
  operationId: 'listAgents',
  tag: 'agents',
  summary: 'The public agent registry',
  description: 'The public agent registry.',
  query: PAGE_QUERY,
  content: {
    total: Type.Integer({ description: 'Agents ever registered.' }),
    active: Type.Integer(),
    agents: Type.Array(AgentSummary, { description: 'Newest first.' }),
    ...PAGE_CONTENT,
  },
  build: (snapshot, page) => {
    const { items, nextCursor } = pageOf(snapshot, 'agent', { list: 'agents', page });
    return {
      total: snapshot.get('counter', 'agents') ?? 0,
      active: snapshot.get('counter', 'active-agents') ?? 0,
      agents: items.map((agent) => agentSummary(snapshot, agent)),
      nextCursor,
    };
  },
});
