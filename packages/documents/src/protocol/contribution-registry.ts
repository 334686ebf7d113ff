/** The node shows contributions as submitted. It has neither fetched nor executed them. */
import { CONTRIBUTION_COUNTERS, CONTRIBUTION_STATUSES, ContributionRecord } from '@netd/ledger';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { Deadline, deadlineView } from '../shared/deadline.ts';
import { Links } from '../shared/links.ts';
import { PAGE_CONTENT, PAGE_QUERY, pageOf, type ListChoice } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';

const { status: ContributionStage } = ContributionRecord.properties;

export const ListedContribution = exactly(
  {
    ...ContributionRecord.properties,
    deadline: orNull(
      Deadline,
      'Where judges disagree: when it needs changes, unless a further group decides.',
    ),
    attestations: Type.Integer(),
    reviews: Type.Integer(),
    links: Links,
  },
  { title: 'ContributionRecord' },
);

const Counts = exactly(
  Object.fromEntries(CONTRIBUTION_STATUSES.map((status) => [status, Type.Integer()])),
  { description: 'Contributions by status, whatever the filter.' },
);

export const contributionRegistry = defineDocument({
  name: 'NET-PROTOCOL-CONTRIBUTION-REGISTRY/1',
  route: '/v1/protocol/contributions',
  operationId: 'listProtocolContributions',
  tag: 'protocol',
  summary: 'Contributions to the protocol and how far they have come',
  description:
    'Content-addressed contributions to the protocol. This node holds commitments to them and never fetches or executes one.',
  query: {
    status: Type.Optional(ContributionStage),
    author: Type.Optional(Type.String({ maxLength: 64, description: 'The agent who offered it.' })),
    ...PAGE_QUERY,
  },
  content: {
    byStatus: Counts,
    contributions: Type.Array(ListedContribution),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { status, author, ...page }) => {
    const { items, total, nextCursor } = pageOf(snapshot, 'contribution', {
      ...listOf(status, author),
      filters: { status: status ?? null, author: author ?? null },
      page,
      total: author === undefined ? countOf(snapshot, status) : null,
    });
    return {
      total,
      byStatus: Object.fromEntries(
        CONTRIBUTION_STATUSES.map((name) => [name, countOf(snapshot, name)]),
      ),
      contributions: items.map(listed),
      nextCursor,
    };
  },
});

function countOf(snapshot: Snapshot, status: ContributionRecord['status'] | undefined): number {
  return counterOf(
    snapshot,
    status === undefined ? 'contributions' : CONTRIBUTION_COUNTERS[status],
  );
}

function listOf(
  status: ContributionRecord['status'] | undefined,
  author: string | undefined,
): ListChoice<'contribution'> {
  if (status !== undefined && author !== undefined) {
    return { list: 'contributions-by-author-and-status', value: `${author}:${status}` };
  }
  if (author !== undefined) return { list: 'contributions-by-author', value: author };
  if (status !== undefined) return { list: 'contributions-by-status', value: status };
  return { list: 'contributions' };
}

export function listed({
  attestations,
  reviews,
  deadline,
  ...facts
}: ContributionRecord): Static<typeof ListedContribution> {
  return {
    ...facts,
    deadline: deadline && deadlineView(deadline),
    attestations: attestations.length,
    reviews: reviews.length,
    links: { self: `/v1/protocol/contributions/${facts.contributionId}` },
  };
}
