/** NET-GOVERNANCE-PROPOSAL-REGISTRY/1 and NET-GOVERNANCE-PROPOSAL/1: what is put to the vote of both chambers. */
import {
  chamberAgrees,
  PROPOSAL_COUNTERS,
  PROPOSAL_STATUSES,
  type ProposalRecord,
} from '@netd/ledger';
import { ActorId, ChainPosition, GovernancePolicy, Hash, RecordId } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import { Refusal } from '../chain/refusal.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { defineDocument, PAGE_CONTENT, PAGE_QUERY, pageOf } from './read-document.ts';

const closed = { additionalProperties: false };

const Status = Type.Enum([...PROPOSAL_STATUSES]);

const Instant = Type.Object(
  { height: Type.Integer(), time: Type.Integer({ description: 'Milliseconds since 1970.' }) },
  { ...closed, description: 'Both must have passed.' },
);

const Chamber = Type.Object(
  {
    for: Type.Integer(),
    against: Type.Integer(),
    quorum: Type.Integer(),
    agrees: Type.Boolean({ description: 'Quorum and majority, as the votes stand.' }),
  },
  closed,
);

export const Proposal = Type.Object(
  {
    proposalId: RecordId,
    kind: Type.Enum(['PROTOCOL_CONTRIBUTION', 'MAINNET_GENESIS']),
    proposerId: ActorId,
    title: Type.String(),
    contributionId: Type.Union([RecordId, Type.Null()]),
    subjectHash: Hash,
    status: Status,
    chambers: Type.Object(
      { stake: Chamber, utility: Chamber },
      { ...closed, description: 'Stake in unet, utility in verified paid orders.' },
    ),
    voters: Type.Integer(),
    openedAt: ChainPosition,
    votingEnds: Instant,
    executableAt: Type.Union([Instant, Type.Null()]),
    deadline: Type.Union([Instant, Type.Null()], {
      description: 'When the status ends by itself.',
    }),
    endedAt: Type.Union([ChainPosition, Type.Null()]),
    links: Type.Object({ detail: Type.String(), proof: Type.String() }, closed),
  },
  closed,
);

export const proposalRegistry = defineDocument({
  name: 'NET-GOVERNANCE-PROPOSAL-REGISTRY/1',
  route: '/v1/governance/proposals',
  operationId: 'listProposals',
  tag: 'governance',
  summary: 'Proposals and how both chambers voted',
  description: 'Proposals: contributions to release, and geneses of a main network.',
  query: { status: Type.Optional(Status), ...PAGE_QUERY },
  content: {
    total: Type.Integer({ description: 'Proposals ever submitted, whatever the filter.' }),
    byStatus: Type.Object(
      Object.fromEntries(PROPOSAL_STATUSES.map((status) => [status, Type.Integer()])),
      closed,
    ),
    policy: GovernancePolicy,
    proposals: Type.Array(Proposal, { description: 'Newest first.' }),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { status, ...page }) => {
    const { items, nextCursor } = pageOf(snapshot, 'proposal', {
      list: status === undefined ? 'proposals' : 'proposals-by-status',
      value: status ?? '',
      filters: { status: status ?? null },
      page,
    });
    return {
      total: snapshot.get('counter', 'proposals') ?? 0,
      byStatus: Object.fromEntries(
        PROPOSAL_STATUSES.map((name) => [
          name,
          snapshot.get('counter', PROPOSAL_COUNTERS[name]) ?? 0,
        ]),
      ),
      policy: policyOf(snapshot),
      proposals: items.map((proposal) => describeProposal(snapshot, proposal)),
      nextCursor,
    };
  },
});

export const proposalDetail = defineDocument({
  name: 'NET-GOVERNANCE-PROPOSAL/1',
  route: '/v1/governance/proposals/:proposalId',
  operationId: 'getProposal',
  tag: 'governance',
  summary: 'One proposal with its votes',
  description: 'One proposal, and each vote with the weights the voter had when casting it.',
  path: { proposalId: RecordId },
  query: PAGE_QUERY,
  canMiss: true,
  content: {
    proposal: Proposal,
    votes: Type.Array(
      Type.Object(
        {
          voterId: ActorId,
          vote: Type.Enum(['FOR', 'AGAINST']),
          stakeWeight: Type.Integer({ description: 'In unet: the smaller of stake and earnings.' }),
          utilityWeight: Type.Integer({ description: 'In verified paid orders.' }),
          castAt: ChainPosition,
        },
        closed,
      ),
      { description: 'Newest first.' },
    ),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { proposalId, ...page }) => {
    const proposal = snapshot.get('proposal', proposalId);
    if (!proposal) throw new Refusal('PROPOSAL_NOT_FOUND');
    const { items, nextCursor } = pageOf(snapshot, 'proposal-vote', {
      list: 'proposal-votes',
      value: proposalId,
      filters: { proposalId },
      page,
    });
    return {
      proposal: describeProposal(snapshot, proposal),
      votes: items.map(({ proposalId: _, ...vote }) => vote),
      nextCursor,
    };
  },
});

export function describeProposal(
  snapshot: Snapshot,
  { dueAtHeight: _, chambers, ...facts }: ProposalRecord,
): Static<typeof Proposal> {
  const { stakeQuorum, utilityQuorum, majorityBps } = policyOf(snapshot);
  const chamber = (tally: ProposalRecord['chambers']['stake'], quorum: number) => ({
    ...tally,
    quorum,
    agrees: chamberAgrees(tally, quorum, majorityBps),
  });
  const { proposalId } = facts;
  return {
    ...facts,
    chambers: {
      stake: chamber(chambers.stake, stakeQuorum),
      utility: chamber(chambers.utility, utilityQuorum),
    },
    links: {
      detail: `/v1/governance/proposals/${proposalId}`,
      proof: `/v1/state/proof?key=proposal/${proposalId}`,
    },
  };
}

function policyOf(snapshot: Snapshot): GovernancePolicy {
  const policy = snapshot.get('policy', 'limits');
  if (!policy) throw new Error('the state has no genesis');
  return policy.governance;
}
