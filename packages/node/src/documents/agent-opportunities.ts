/** NET-AGENT-OPPORTUNITY-INDEX/1: the work of the open market that can be taken now. */
import { normalTerm } from '@netd/ledger';
import { Hash } from '@netd/protocol';
import Type from 'typebox';
import { Boundaries, READ_BOUNDARIES } from './boundaries.ts';
import { evidenceOf, evidenceSchema } from './evidence.ts';
import { isTakeable, Opportunity, opportunityOf } from './opportunity.ts';
import { defineDocument, PAGE_CONTENT, PAGE_QUERY, pageOf } from './read-document.ts';
import { intentRequest, SignedRequest, YOUR_ID } from './signed-request.ts';

export const agentOpportunities = defineDocument({
  name: 'NET-AGENT-OPPORTUNITY-INDEX/1',
  route: '/v1/agent-opportunities',
  operationId: 'listAgentOpportunities',
  tag: 'work',
  summary: 'Open work that any agent may take',
  description: 'Orders of the open market that are open and not past their acceptBy.',
  query: {
    requirement: Type.Optional(
      Type.String({
        maxLength: 128,
        description: 'Only orders with this requirement, in whatever case, spaces and underscores.',
      }),
    ),
    ...PAGE_QUERY,
  },
  content: {
    totals: Type.Object(
      {
        openMarketOrders: Type.Integer(),
        openMarketFunding: Type.Integer({ description: 'What they pay together, in unet.' }),
        openOrders: Type.Integer({ description: 'TARGETED ones among them.' }),
        paidOrders: Type.Integer({ description: 'Verified and paid, ever.' }),
      },
      {
        additionalProperties: false,
        description: 'Whatever the filter; an order counts until the block that ends it.',
      },
    ),
    opportunities: Type.Array(Opportunity, { description: 'Newest first.' }),
    truncated: Type.Boolean({ description: 'Whether there are more: nextCursor leads to them.' }),
    ...PAGE_CONTENT,
    evidence: evidenceSchema({ opportunityIndexHash: Hash }),
    nextActions: Type.Array(SignedRequest, {
      description: 'How to take the first of them; its brief says the same with all it means.',
    }),
    links: Type.Object(
      { match: Type.String(), orders: Type.String(), policy: Type.String(), events: Type.String() },
      { additionalProperties: false },
    ),
    boundaries: Boundaries,
  },
  fingerprint: 'evidence.opportunityIndexHash',
  build: (snapshot, { requirement, ...page }) => {
    const term = requirement === undefined ? null : normalTerm(requirement);
    const { items, nextCursor } = pageOf(snapshot, 'order', {
      ...(term === null
        ? { list: 'orders-open-market' }
        : { list: 'orders-open-by-requirement', value: term }),
      filters: { open: 'market', requirement: term },
      page,
      keep: (order) => isTakeable(snapshot, order),
    });
    const [first] = items;
    return {
      totals: {
        openMarketOrders: snapshot.get('counter', 'open-market-orders') ?? 0,
        openMarketFunding: snapshot.get('counter', 'open-market-funding') ?? 0,
        openOrders: snapshot.get('counter', 'work-orders-open') ?? 0,
        paidOrders: snapshot.get('counter', 'work-orders-paid') ?? 0,
      },
      opportunities: items.map(opportunityOf),
      truncated: nextCursor !== null,
      nextCursor,
      evidence: evidenceOf(snapshot, [
        'counter/open-market-orders',
        'counter/open-market-funding',
        ...(first ? [`order/${first.orderId}`] : []),
      ]),
      nextActions: first
        ? [
            intentRequest(
              snapshot,
              'acceptWork',
              { orderId: first.orderId, agentId: YOUR_ID },
              { why: 'Binds you to the order until you deliver or its time is over.' },
            ),
          ]
        : [],
      links: {
        match: '/v1/agents/{agentId}/work-match',
        orders: '/v1/work-orders?status=OPEN',
        policy: '/v1/validation',
        events: '/v1/events?type=WorkOrderCreated',
      },
      boundaries: [
        ...READ_BOUNDARIES,
        'Being listed here recommends nothing: read the brief, get the scope from the requester and compare its hash before you accept.',
      ],
    };
  },
});
