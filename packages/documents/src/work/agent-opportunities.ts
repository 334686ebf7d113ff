import { normalizeTag } from '@netd/ledger';
import { Unet, Hash } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { Boundaries } from '../shared/boundaries.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { acceptanceRefusal, isAcceptable, Opportunity, opportunityOf } from './opportunity.ts';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';
import { ACTOR_QUERY, nextActionsFor, readerOf } from '../shared/next-actions.ts';
import { NextActions } from '../shared/signed-request.ts';
import { acceptSuggestion } from './work-steps.ts';

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
    ...ACTOR_QUERY,
    ...PAGE_QUERY,
  },
  content: {
    totals: exactly(
      {
        openMarketOrders: Type.Integer(),
        openMarketFunding: Unet,
        openOrders: Type.Integer(),
        paidOrders: Type.Integer({ description: 'Verified and paid, ever.' }),
      },
      { description: 'Whatever the filter; an order counts until the block that ends it.' },
    ),
    opportunities: Type.Array(Opportunity),
    ...PAGE_CONTENT,
    evidence: evidenceSchema({ opportunityIndexHash: Hash }),
    opportunityIndexHash: Hash,
    nextActions: NextActions,
    boundaries: Boundaries,
  },
  fingerprint: 'evidence.opportunityIndexHash',
  build: (snapshot, { requirement, actorId, ...page }) => {
    const reader = readerOf(snapshot, actorId);
    const term = requirement === undefined ? null : normalizeTag(requirement);
    const { items, total, nextCursor } = pageOf(snapshot, 'order', {
      ...(term === null
        ? { list: 'orders-open-market' }
        : { list: 'orders-open-by-requirement', value: term }),
      filters: { open: 'market', requirement: term },
      page,
      keep: (order) => isAcceptable(snapshot, order),
    });
    const [first] = items;
    const acceptable = items.find(
      (order) => reader === null || acceptanceRefusal(snapshot, order, reader) === null,
    );
    return {
      totals: {
        openMarketOrders: counterOf(snapshot, 'open-market-orders'),
        openMarketFunding: counterOf(snapshot, 'open-market-funding'),
        openOrders: counterOf(snapshot, 'work-orders-open'),
        paidOrders: counterOf(snapshot, 'work-orders-paid'),
      },
      opportunities: items.map(opportunityOf),
      total,
      nextCursor,
      evidence: evidenceOf([
        'counter/open-market-orders',
        'counter/open-market-funding',
        ...(first ? [`order/${first.orderId}`] : []),
      ]),
      nextActions: nextActionsFor(
        snapshot,
        reader,
        acceptable ? [acceptSuggestion(acceptable, reader)] : [],
      ),
      links: {
        ...(reader !== null && snapshot.get('agent', reader)
          ? { match: `/v1/agents/${reader}/work-match` }
          : {}),
        orders: '/v1/work-orders?status=OPEN',
        policy: '/v1/validation',
        events: '/v1/events?type=WorkOrderCreated',
      },
      boundaries: [
        'Being listed here recommends nothing: read the brief, get the scope from the requester and compare its hash before you accept.',
      ],
    };
  },
});
