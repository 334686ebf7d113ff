import {
  ChamberTally,
  PROPOSAL_COUNTERS,
  PROPOSAL_STATUSES,
  ProposalRecord,
  ProposalVoteRecord,
} from '@netd/ledger';
import { chamberAgrees, GovernancePolicy, RecordId } from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import { ApiError, type Snapshot } from '@netd/engine/reads';
import { Links, proofLink } from '../shared/links.ts';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { Deadline, deadlineView } from '../shared/deadline.ts';
import { defineDocument } from '../shared/read-document.ts';

const { status: Status } = ProposalRecord.properties;
const { proposalId: _id, ...Vote } = ProposalVoteRecord.properties;

const Chamber = exactly(
  { ...ChamberTally.properties, quorum: Type.Integer(), agrees: Type.Boolean() },
  { title: 'Chamber' },
);

export const Proposal = exactly(
  {
    ...ProposalRecord.properties,
    chambers: exactly(
      { stake: Chamber, utility: Chamber },
      { description: 'Stake in unet, utility in verified paid orders.' },
    ),
    votingEnds: Deadline,
    executableAt: orNull(Deadline),
    deadline: orNull(Deadline),
    rulesVersion: orNull(
      Type.Integer({ minimum: 2 }),
      'The version of the rules that the release of its contribution may schedule; null if none.',
    ),
    links: Links,
  },
  { title: 'Proposal' },
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
    byStatus: exactly(
      Object.fromEntries(PROPOSAL_STATUSES.map((status) => [status, Type.Integer()])),
    ),
    policy: GovernancePolicy,
    proposals: Type.Array(Proposal),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { status, ...page }) => {
    const { items, total, nextCursor } = pageOf(snapshot, 'proposal', {
      list: status === undefined ? 'proposals' : 'proposals-by-status',
      value: status ?? '',
      filters: { status: status ?? null },
      page,
      total:
        status === undefined
          ? counterOf(snapshot, 'proposals')
          : counterOf(snapshot, PROPOSAL_COUNTERS[status]),
    });
    return {
      total,
      byStatus: Object.fromEntries(
        PROPOSAL_STATUSES.map((name) => [name, counterOf(snapshot, PROPOSAL_COUNTERS[name])]),
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
    votes: Type.Array(exactly(Vote)),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { proposalId, ...page }) => {
    const proposal = snapshot.get('proposal', proposalId);
    if (!proposal) throw new ApiError('PROPOSAL_NOT_FOUND');
    const { items, total, nextCursor } = pageOf(snapshot, 'proposal-vote', {
      list: 'proposal-votes',
      value: proposalId,
      filters: { proposalId },
      page,
      total: proposal.voters,
    });
    return {
      proposal: describeProposal(snapshot, proposal),
      votes: items.map(({ proposalId: _, ...vote }) => vote),
      total,
      nextCursor,
      links: { proof: proofLink('proposal', proposalId) },
    };
  },
});

export function describeProposal(
  snapshot: Snapshot,
  { chambers, votingEnds, executableAt, deadline, ...facts }: ProposalRecord,
): Static<typeof Proposal> {
  const { stakeQuorum, utilityQuorum, majorityBps } = policyOf(snapshot);
  const chamber = (votes: ProposalRecord['chambers']['stake'], quorum: number) => ({
    ...votes,
    quorum,
    agrees: chamberAgrees(votes, quorum, majorityBps),
  });
  const { proposalId, contributionId } = facts;
  const contribution =
    contributionId === null ? undefined : snapshot.get('contribution', contributionId);
  return {
    ...facts,
    rulesVersion: contribution?.rulesVersion ?? null,
    votingEnds: deadlineView(votingEnds),
    executableAt: executableAt && deadlineView(executableAt),
    deadline: deadline && deadlineView(deadline),
    chambers: {
      stake: chamber(chambers.stake, stakeQuorum),
      utility: chamber(chambers.utility, utilityQuorum),
    },
    links: {
      self: `/v1/governance/proposals/${proposalId}`,
      proof: proofLink('proposal', proposalId),
    },
  };
}

function policyOf(snapshot: Snapshot): GovernancePolicy {
  const policy = snapshot.get('policy', 'limits');
  if (!policy) throw new Error('the state has no genesis');
  return policy.governance;
}
