import { agentStatsOf, ReferralRecord } from '@netd/ledger';
import { Type } from '@netd/protocol/type';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';

export const referralRegistry = defineDocument({
  name: 'NET-REFERRAL-REGISTRY/1',
  route: '/v1/referrals',
  operationId: 'listReferrals',
  tag: 'agents',
  summary: 'Pending and qualified referral records',
  description: 'Referrals: pending until verified paid work qualifies them.',
  query: {
    referrer: Type.Optional(
      Type.String({ maxLength: 64, description: 'Only what this agent recruited.' }),
    ),
    ...PAGE_QUERY,
  },
  content: {
    referrals: Type.Array(ReferralRecord),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { referrer, ...page }) => {
    const { items, total, nextCursor } = pageOf(snapshot, 'referral', {
      ...(referrer === undefined
        ? { list: 'referrals' }
        : { list: 'referrals-by-referrer', value: referrer }),
      filters: { referrer: referrer ?? null },
      page,
      total:
        referrer === undefined
          ? counterOf(snapshot, 'referrals')
          : agentStatsOf(snapshot, referrer).referrals,
    });
    return { total, referrals: items, nextCursor };
  },
});
