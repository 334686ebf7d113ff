/** Arguments for each tool on the populated node, and the HTTP path of the whole document. */
import type { JsonObject } from '@netd/protocol';
import type { ToolName } from '@netd/server/testing';

export const TOOL_CASES: Record<ToolName, [given: JsonObject, path: string][]> = {
  net_network_status: [[{}, '/v1/network']],
  net_join_instructions: [
    [{}, '/.well-known/net-agent-intake.json'],
    [{ inviter: 'alice' }, '/.well-known/net-agent-intake.json?inviter=alice'],
  ],
  net_agent_startup_brief: [[{}, '/v1/agent-startup']],
  net_agent_trust_report: [[{}, '/v1/agent-trust']],
  net_agent_opportunities: [
    [{}, '/v1/agent-opportunities?limit=10'],
    [
      { requirement: 'translate', limit: 1 },
      '/v1/agent-opportunities?requirement=translate&limit=1',
    ],
  ],
  net_match_agent_work: [
    [{ agentId: 'bob' }, '/v1/agents/bob/work-match'],
    [{ agentId: 'dave', limit: 3 }, '/v1/agents/dave/work-match'],
  ],
  net_work_brief: [
    [{ orderId: 'o-2' }, '/v1/work-orders/o-2/brief'],
    [{ orderId: 'o-1' }, '/v1/work-orders/o-1/brief'],
  ],
  net_work_audit: [
    [{ orderId: 'o-1' }, '/v1/work-orders/o-1/audit'],
    [{ orderId: 'o-1', limit: 3 }, '/v1/work-orders/o-1/audit'],
    [{ orderId: 'o-2' }, '/v1/work-orders/o-2/audit'],
  ],
  net_list_open_work: [
    [{}, '/v1/work-orders?status=OPEN&assignmentMode=OPEN_MARKET&limit=10'],
    [
      { agentId: 'bob' },
      '/v1/work-orders?agentId=bob&status=OPEN&assignmentMode=OPEN_MARKET&limit=10',
    ],
  ],
  net_list_agent_capabilities: [
    [{}, '/v1/agent-directory?limit=10'],
    [{ capability: 'translate', limit: 1 }, '/v1/agent-directory?capability=translate&limit=1'],
  ],
  net_agent_decision_dossier: [[{ agentId: 'bob' }, '/v1/agents/bob/decision-dossier']],
  net_agent_operations: [
    [{ agentId: 'bob' }, '/v1/agents/bob/operations'],
    [{ agentId: 'alice' }, '/v1/agents/alice/operations'],
  ],
  net_account: [[{ accountId: 'bob' }, '/v1/accounts/bob']],
  net_agent_lineage: [
    [{ agentId: 'bob' }, '/v1/agent-lineage/bob'],
    [{ agentId: 'alice', limit: 2 }, '/v1/agent-lineage/alice'],
  ],
  net_agent_seeding: [
    [{ inviter: 'bob' }, '/v1/agent-seeding?inviter=bob'],
    [{ inviter: 'bob & co' }, '/v1/agent-seeding?inviter=bob%20%26%20co'],
  ],
  net_agent_growth_control: [[{}, '/v1/agent-growth']],
  net_list_tokens: [[{}, '/v1/tokens?limit=10']],
  net_token_detail: [[{ tokenId: 'tok-gold' }, '/v1/tokens/tok-gold']],
  net_list_replicas: [[{}, '/v1/replicas?limit=10']],
  net_contribution_pipeline: [
    [{}, '/v1/protocol/contributions?limit=10'],
    [{ author: 'absent' }, '/v1/protocol/contributions?author=absent&limit=10'],
  ],
  net_mainnet_readiness: [[{}, '/v1/mainnet/readiness']],
};
