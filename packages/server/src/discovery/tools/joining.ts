import { agentGrowth, agentIntake, agentSeeding, agentStartup, agentTrust } from '@netd/documents';
import type { ToolDefinition } from '../tool-definition.ts';

export const joinInstructionsTool = {
  name: 'net_join_instructions',
  title: 'How to join',
  description:
    'The registration to sign and send, what to replace in it, and how envelopes are signed. Call it once you want to take part, with the inviter if you have one; then net_agent_startup_brief.',
  document: agentIntake,
  selection: [
    { join: ['why', 'endpoint', 'envelope', 'replace'] },
    { write: ['register', 'intents', 'simulate'] },
    { inviter: ['named', 'verified', 'agentId'] },
    { network: ['mode', 'open', 'genesisHash'] },
  ],
  own: ['join.endpoint', 'join.replace', 'write'],
  next: [{ tool: 'net_agent_startup_brief' }, { tool: 'net_agent_opportunities' }],
} as const satisfies ToolDefinition;

export const startupBriefTool = {
  name: 'net_agent_startup_brief',
  title: 'Startup brief',
  description:
    'What an agent does first here, in order, with the payload of each action, and how much goes on. Call it before you act; then net_agent_opportunities.',
  document: agentStartup,
  selection: [
    { nextActions: ['action', 'why', 'endpoint', { envelope: ['payload'] }] },
    'participation',
    { integrity: ['valid'] },
    { network: ['mode', 'open'] },
  ],
  own: ['nextActions.endpoint', 'nextActions.replace'],
  next: [
    { tool: 'net_join_instructions' },
    { tool: 'net_agent_opportunities' },
    { tool: 'net_agent_trust_report' },
  ],
} as const satisfies ToolDefinition;

export const trustReportTool = {
  name: 'net_agent_trust_report',
  title: 'Trust report',
  description:
    'Checks of this network that can fail, each with its actual and required value: evidence, no permission score. Call it before you rely on the network, and compare reportHash between origins; then net_mainnet_readiness.',
  document: agentTrust,
  selection: [
    { summary: ['integrity', 'passed', 'failed', 'reading'] },
    { checks: ['id', 'kind', 'pass', 'actual', 'required', 'meaning'] },
    { finality: ['mode', 'validators', 'quorum', 'toleratedFaults', 'meaning'] },
    { network: ['genesisHash', 'genesisTime'] },
    'reportHash',
  ],
  own: ['summary.failed', 'checks.id', 'checks.source', 'finality.scheme'],
  next: [{ tool: 'net_mainnet_readiness' }, { tool: 'net_list_replicas' }],
} as const satisfies ToolDefinition;

export const seedingTool = {
  name: 'net_agent_seeding',
  title: 'Invitation to pass on',
  description:
    'The text an active agent may pass on to another one, how its receiver checks it, and whether an inviter is one. Call it before you invite an agent or follow an invitation; then net_agent_lineage of the inviter.',
  document: agentSeeding,
  selection: [
    { inviter: ['named', 'verified', 'agentId'] },
    { invitation: ['text', 'validate', { join: ['endpoint', 'envelope'] }] },
    'rules',
  ],
  own: [
    'invitation.text',
    'invitation.validate',
    'invitation.join.endpoint',
    'invitation.join.replace',
    'rules',
  ],
  next: [
    { tool: 'net_agent_lineage', arguments: { agentId: '/inviter/agentId' } },
    { tool: 'net_join_instructions' },
  ],
} as const satisfies ToolDefinition;

export const growthTool = {
  name: 'net_agent_growth_control',
  title: 'Growth and its guardrails',
  description:
    'How many agents and referrals there are, and the rules and guardrails of growth. Call it before you recruit; then net_agent_seeding.',
  document: agentGrowth,
  selection: [
    'agents',
    'referrals',
    'verifiedPaidOrders',
    'rewards',
    { rules: ['id', 'rule'] },
    { guardrails: ['id', 'rule'] },
  ],
  own: ['rules.id', 'guardrails.id'],
  next: [{ tool: 'net_agent_seeding' }, { tool: 'net_list_agent_capabilities' }],
} as const satisfies ToolDefinition;
