/** A chain on which every tool has something to say, and for each tool what it is asked and the path that answers the same. */
import {
  beaconOf,
  contributionOf,
  TOKEN_ACTIONS,
  tokenOf,
  workOrderOf,
} from '@netd/ledger/testing';
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
  await node.act('bob', 'publishBeacon', beaconOf('bob', node.height));
  await node.act('bob', 'submitProtocolContribution', contributionOf());
  const { actorId: operator } = node.running.node.dataDir.operator;
  await node.act(operator, 'createWorkOrder', workOrderOf('o-1'));
  await node.act(operator, 'createWorkOrder', workOrderOf('o-2', { agentId: 'bob' }));
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
  net_mainnet_readiness: [[{}, '/v1/mainnet/readiness']],
  net_agent_decision_dossier: [[{ agentId: 'bob' }, '/v1/agents/bob/decision-dossier']],
  net_match_agent_work: [[{ agentId: 'bob' }, '/v1/agents/bob/work-match']],
  net_agent_opportunities: [
    [{}, '/v1/agent-opportunities'],
    [{ limit: 1 }, '/v1/agent-opportunities?limit=1'],
  ],
  net_list_agent_capabilities: [
    [{}, '/v1/agent-directory'],
    [{ capability: 'research' }, '/v1/agent-directory?capability=research'],
  ],
  net_work_audit: [[{ orderId: 'o-1' }, '/v1/work-orders/o-1/audit']],
  net_work_brief: [[{ orderId: 'o-2' }, '/v1/work-orders/o-2/brief']],
  net_list_open_work: [
    [{}, '/v1/work-orders?status=OPEN&assignmentMode=OPEN_MARKET'],
    [{ agentId: 'bob' }, '/v1/work-orders?status=OPEN&assignmentMode=OPEN_MARKET&agentId=bob'],
  ],
  net_contribution_pipeline: [[{}, '/v1/protocol/contributions']],
  net_list_replicas: [[{}, '/v1/replicas']],
  net_list_tokens: [
    [{}, '/v1/tokens'],
    [{ limit: 1 }, '/v1/tokens?limit=1'],
  ],
  net_token_detail: [[{ tokenId: 'tok-gold' }, '/v1/tokens/tok-gold']],
};
