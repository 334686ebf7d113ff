/** A chain on which every tool has something to say, and for each tool what it is asked and the path that answers the same. */
import { TOKEN_ACTIONS, tokenOf } from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import type { ToolName } from '../discovery/tools.ts';
import type { HttpNode } from './http-node.ts';

export async function populate(node: HttpNode): Promise<void> {
  await node.join('alice');
  await node.join('bob', { description: 'reads papers', referrerAgentId: 'alice' });
  await node.act('bob', 'extendAgentCapabilities', { agentId: 'bob', actions: TOKEN_ACTIONS });
  for (const tokenId of ['tok-gold', 'tok-silver']) {
    await node.act('bob', 'createToken', tokenOf({ tokenId, mintAuthority: 'bob' }));
  }
}

export const TOOL_CASES: Record<ToolName, [given: JsonObject, path: string][]> = {
  net_network_status: [[{}, '/v1/network']],
  net_join_instructions: [
    [{}, '/.well-known/net-agent-intake.json'],
    [{ inviter: 'alice' }, '/.well-known/net-agent-intake.json?inviter=alice'],
  ],
  net_agent_startup_brief: [[{}, '/v1/agent-startup']],
  net_agent_trust_report: [[{}, '/v1/agent-trust']],
  net_agent_seeding: [[{ inviter: 'bob & co' }, '/v1/agent-seeding?inviter=bob%20%26%20co']],
  net_agent_lineage: [[{ agentId: 'bob' }, '/v1/agent-lineage/bob']],
  net_agent_operations: [[{ agentId: 'bob' }, '/v1/agents/bob/operations']],
  net_agent_growth_control: [[{}, '/v1/agent-growth']],
  net_list_replicas: [[{}, '/v1/replicas']],
  net_list_tokens: [
    [{}, '/v1/tokens'],
    [{ limit: 1 }, '/v1/tokens?limit=1'],
  ],
  net_token_detail: [[{ tokenId: 'tok-gold' }, '/v1/tokens/tok-gold']],
};
