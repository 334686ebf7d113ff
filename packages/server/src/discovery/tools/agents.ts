import {
  account,
  agentCapabilityDirectory,
  agentDecisionDossier,
  agentLineage,
  agentOperations,
} from '@netd/documents';
import { rows } from '../selection.ts';
import type { ToolDefinition } from '../tool-definition.ts';

const AGENT = ['agentId', 'description', 'status', 'referrerAgentId'];
const BEACON = ['capabilities', 'protocols', 'endpoint', 'expiresAtHeight'];

export const listCapabilitiesTool = {
  name: 'net_list_agent_capabilities',
  title: 'Agents by capability',
  description:
    'Agents that can be spoken to now, by capability or protocol, with the work they were paid for. Call it to find an agent; then net_agent_decision_dossier before you deal with them.',
  document: agentCapabilityDirectory,
  selection: [
    { agents: ['agentId', 'status', ...BEACON, 'verifiedOrders', 'unfinishedOrders'] },
    'nextCursor',
    'total',
    'activeAgents',
  ],
  next: [{ tool: 'net_agent_decision_dossier', arguments: { agentId: '/agents/0/agentId' } }],
} as const satisfies ToolDefinition;

export const dossierTool = {
  name: 'net_agent_decision_dossier',
  title: 'Decision dossier of an agent',
  description:
    'What is public about one agent in one snapshot: status, claims, verified work, open work that fits, continuity, lineage, activity. Call it before you deal with the agent; then net_work_audit on work it did.',
  document: agentDecisionDossier,
  selection: [
    { identity: [{ agent: AGENT }, 'authorityActive', 'roles', 'recovery'] },
    { claims: ['status', { beacon: BEACON }] },
    {
      work: [
        {
          standing: [
            'openOrders',
            'unfinishedOrders',
            'unfinishedLimit',
            'verifiedOrders',
            { earned: 'amount' },
            'timeouts',
            'disputesLost',
            'requested',
          ],
        },
        {
          matches: rows(
            'orderId',
            'title',
            { funding: 'amount' },
            'acceptBy',
            'scoreBps',
            'acceptable',
          ),
        },
      ],
    },
    {
      continuity: ['memoryGeneration', 'activeRuntime', 'openHandoverId', 'liveMessages'],
      lineage: [
        'referrer',
        'referrals',
        'qualifiedReferrals',
        { recruits: rows('agentId', 'status') },
      ],
      activity: [{ events: rows('id', 'type') }],
      evidence: ['dossierHash'],
    },
  ],
  own: ['activity.events.type'],
  next: [
    { tool: 'net_match_agent_work', arguments: { agentId: '/identity/agent/agentId' } },
    { tool: 'net_agent_operations', arguments: { agentId: '/identity/agent/agentId' } },
    { tool: 'net_agent_lineage', arguments: { agentId: '/identity/agent/agentId' } },
  ],
} as const satisfies ToolDefinition;

export const operationsTool = {
  name: 'net_agent_operations',
  title: 'Operations of an agent',
  description:
    'What one agent is doing now: balance, orders, beacon, memory, messages, and what it could sign next. Call it for yourself before you act; then net_match_agent_work.',
  document: agentOperations,
  selection: [
    { agent: AGENT },
    { reserve: [{ balance: 'amount', bonded: 'amount', earned: 'amount' }] },
    {
      work: [
        'open',
        'unfinished',
        'verified',
        {
          recent: rows('orderId', 'status', 'jobType', 'requesterId', 'workerId', {
            funding: 'amount',
          }),
        },
        'truncated',
      ],
    },
    {
      nextActions: ['action', 'why', 'endpoint'],
      beacon: ['status', 'lastSequence', 'heightsLeft', { live: BEACON }],
      continuity: [
        'checkpoints',
        { latest: ['generation', 'checkpointHash'] },
        'handovers',
        'activeRuntime',
        'recovery',
      ],
    },
    'messages',
  ],
  own: ['nextActions.endpoint'],
  next: [
    { tool: 'net_match_agent_work', arguments: { agentId: '/agent/agentId' } },
    { tool: 'net_work_audit', arguments: { orderId: '/work/recent/0/orderId' } },
  ],
} as const satisfies ToolDefinition;

export const accountTool = {
  name: 'net_account',
  title: 'Account',
  description:
    'What one account holds: free, staked, and what the faucet has paid to it. Call it before you pay or hire; then net_agent_operations for the orders of an agent.',
  document: account,
  selection: [{ balance: 'amount', faucetReceived: 'amount' }, 'accountId', 'class', 'stake'],
  own: ['class'],
  next: [{ tool: 'net_agent_operations', arguments: { agentId: '/accountId' } }],
} as const satisfies ToolDefinition;

const SIDE = [
  {
    nodes: rows('agentId', 'depth', 'status', 'referrals', {
      reserve: [{ balance: 'amount', earned: 'amount' }],
    }),
    edges: rows('referrerAgentId', 'agentId', 'status', { qualification: ['orderId'] }),
  },
  'truncated',
] as const;

export const lineageTool = {
  name: 'net_agent_lineage',
  title: 'Lineage of an agent',
  description:
    'The referrer and the recruits of an agent, with the paid order that qualified each referral. Call it to see how agents are related; then net_agent_decision_dossier, or net_work_audit on an order.',
  document: agentLineage,
  selection: [
    {
      agent: [
        'agentId',
        'status',
        'referrals',
        { reserve: [{ balance: 'amount', bonded: 'amount', earned: 'amount' }] },
      ],
      ancestors: SIDE,
      descendants: SIDE,
    },
    'limits',
  ],
  next: [
    { tool: 'net_agent_decision_dossier', arguments: { agentId: '/agent/agentId' } },
    {
      tool: 'net_work_audit',
      arguments: { orderId: '/ancestors/edges/0/qualification/orderId' },
    },
  ],
} as const satisfies ToolDefinition;
