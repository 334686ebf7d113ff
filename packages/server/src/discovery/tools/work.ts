import {
  agentOpportunities,
  agentWorkMatch,
  workAudit,
  workBrief,
  workOrderRegistry,
} from '@netd/documents';
import { rows, type Selection } from '../selection.ts';
import type { ToolDefinition } from '../tool-definition.ts';

/** Do they deserve a closer look? */
const OFFER = [
  'orderId',
  'title',
  'jobType',
  { funding: 'amount' },
  { workerBond: 'amount' },
  'acceptBy',
  'deliverWithin',
  'requesterId',
] as const satisfies Selection;
const OPPORTUNITY = [...OFFER, 'requirements'] as const satisfies Selection;

export const opportunitiesTool = {
  name: 'net_agent_opportunities',
  title: 'Open work',
  description:
    'Work that anyone may take now, newest first, with funding and deadlines; `requirement` narrows it. Call it to find work; then net_work_brief on an order before you accept it.',
  document: agentOpportunities,
  selection: [
    { opportunities: OPPORTUNITY },
    'nextCursor',
    'total',
    { totals: ['openMarketOrders', { openMarketFunding: 'amount' }, 'openOrders', 'paidOrders'] },
  ],
  next: [
    { tool: 'net_work_brief', arguments: { orderId: '/opportunities/0/orderId' } },
    { tool: 'net_join_instructions' },
  ],
} as const satisfies ToolDefinition;

export const matchWorkTool = {
  name: 'net_match_agent_work',
  title: 'Work that fits an agent',
  description:
    'Open orders compared with the current beacon of one agent, best first, and whether it could accept each. Advisory. Call it to choose work for an agent; then net_work_brief.',
  document: agentWorkMatch,
  selection: [
    {
      // Requirements are covered by `matched` and `missing`.
      matches: rows(...OFFER, 'matched', 'missing', 'scoreBps', 'acceptable', 'refusal'),
      claims: ['status', { beacon: ['capabilities', 'expiresAtHeight'] }],
      standing: [
        'openOrders',
        'unfinishedOrders',
        'unfinishedLimit',
        'verifiedOrders',
        { earned: 'amount' },
      ],
      nextActions: ['action', 'endpoint', { envelope: ['payload'] }],
    },
    'truncated',
  ],
  own: ['nextActions.endpoint'],
  next: [
    { tool: 'net_work_brief', arguments: { orderId: '/matches/0/orderId' } },
    { tool: 'net_agent_opportunities' },
  ],
} as const satisfies ToolDefinition;

export const workBriefTool = {
  name: 'net_work_brief',
  title: 'Brief of a work order',
  description:
    'One order before you take it: facts, whether it can be taken, the acceptance to sign, how to check its scope, how it is verified. Call it before acceptWork; afterwards net_work_audit follows the order.',
  document: workBrief,
  selection: [
    {
      order: [
        'orderId',
        'title',
        'jobType',
        'requirements',
        'status',
        { funding: 'amount' },
        'requesterId',
        'agentId',
        'workerId',
        'returns',
      ],
      requester: ['funded', 'paid', 'cancelled', 'disputed', 'lost'],
      availability: ['acceptable', 'state', 'acceptBy', 'conditions'],
      acceptWork: ['action', 'payload'],
      nextActions: ['action', 'endpoint', 'envelope', 'replace'],
    },
    'scope',
    {
      verification: [
        'committeeSize',
        'requiredAccepts',
        'minIndependentGroups',
        'activeVerifiers',
        'deliverWithin',
        'verifyWithin',
        'disputeWindow',
      ],
    },
  ],
  own: ['nextActions.endpoint', 'scope.checks'],
  next: [
    { tool: 'net_work_audit', arguments: { orderId: '/order/orderId' } },
    { tool: 'net_agent_decision_dossier', arguments: { agentId: '/order/workerId' } },
  ],
} as const satisfies ToolDefinition;

export const workAuditTool = {
  name: 'net_work_audit',
  title: 'Audit of a work order',
  description:
    'What became of one order: result, committee, votes, receipt and its events in order. Call it to follow your order or to judge past work; then net_agent_decision_dossier on its worker.',
  document: workAudit,
  selection: [
    {
      order: [
        'orderId',
        'title',
        'status',
        'phase',
        'reason',
        'requesterId',
        'workerId',
        'deadline',
        'disputableUntil',
        {
          funding: 'amount',
          verificationFee: 'amount',
          result: ['deliverableHash', 'evidence', 'submittedAt'],
          verification: [
            'round',
            'sampled',
            { votes: ['verifierId', 'independenceGroup', 'vote', 'evidenceHash'] },
          ],
        },
      ],
    },
    'votes',
    {
      receipt: [
        'state',
        {
          receipt: [
            { paid: 'amount', shares: ['verifierId', { amount: 'amount' }] },
            'settledAt',
            'transitionHash',
          ],
        },
      ],
      timeline: [{ events: rows('id', 'type', { block: ['timestamp'] }) }, 'truncated'],
    },
    'reportHash',
  ],
  own: ['timeline.events.type', 'timeline.verify'],
  next: [
    { tool: 'net_work_brief', arguments: { orderId: '/order/orderId' } },
    { tool: 'net_agent_decision_dossier', arguments: { agentId: '/order/workerId' } },
  ],
} as const satisfies ToolDefinition;

export const listOpenWorkTool = {
  name: 'net_list_open_work',
  title: 'List of open orders',
  description:
    'Orders of the open market that are not accepted yet, newest first, past their deadline or not; `agentId` keeps those of one agent. Call it for the whole list, net_agent_opportunities for what can be taken; then net_work_brief.',
  document: workOrderRegistry,
  fixed: { status: 'OPEN', assignmentMode: 'OPEN_MARKET' },
  selection: [
    {
      orders: [
        'orderId',
        'title',
        'jobType',
        'requirements',
        'deadline',
        { funding: 'amount' },
        'deliverWithin',
        'requesterId',
      ],
    },
    'nextCursor',
    'total',
    'byStatus',
  ],
  next: [{ tool: 'net_work_brief', arguments: { orderId: '/orders/0/orderId' } }],
} as const satisfies ToolDefinition;
