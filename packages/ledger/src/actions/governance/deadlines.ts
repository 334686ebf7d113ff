/** What happens to proposals by itself, so that every one of them ends, whoever falls silent. */
import type { BlockContext } from '../../action.ts';
import type { ProposalRecord } from './records.ts';
import type { ReadableState } from '../../state.ts';
import type { SystemKind, SystemRule } from '../../system-rule.ts';
import { isReached, momentAfter } from '../work/order.ts';
import { bothAgree, endProposal, putProposal } from './proposals.ts';

/** Proposals moved on in one block at most, by each of the two rules; the others come with the next block. */
const PROPOSALS_MOVED = 32;

export const GOVERNANCE_SYSTEM_KINDS = {
  closeProposalVote: {
    summary: 'The voting period has ended: the proposal has passed both chambers, or is rejected.',
    events: {
      ProposalPassed: 'Both chambers agreed; the timelock runs.',
      ProposalRejected: 'A chamber lacked its quorum or its majority.',
    },
    apply({ state, block, policy, index, emit }, proposalId) {
      const proposal = proposalOf(state, proposalId);
      const { kind, contributionId, subjectHash, chambers } = proposal;
      const facts = { proposalId, kind, contributionId, subjectHash, chambers };
      if (!bothAgree(proposal, policy.governance)) {
        endProposal(state, proposal, 'REJECTED', { height: block.height, index });
        emit('ProposalRejected', facts);
        return;
      }
      const { timelock, enactWithin } = policy.governance;
      const executableAt = momentAfter(block, timelock);
      putProposal(state, proposal, {
        ...proposal,
        status: 'PASSED',
        executableAt,
        deadline: {
          height: executableAt.height + enactWithin.heights,
          time: executableAt.time + enactWithin.milliseconds,
        },
        dueAtHeight: null,
      });
      emit('ProposalPassed', { ...facts, executableAt });
    },
  },
  awaitProposalHeight: {
    summary:
      'The time of a proposal’s deadline has passed, its height has not: from now on the height counts.',
    events: {},
    apply({ state }, proposalId) {
      const proposal = proposalOf(state, proposalId);
      if (!proposal.deadline) throw new Error(`the proposal ${proposalId} has no deadline`);
      putProposal(state, proposal, { ...proposal, dueAtHeight: proposal.deadline.height });
    },
  },
  lapseProposal: {
    summary: 'Nobody enacted a proposal in time: it has lapsed.',
    events: { ProposalLapsed: 'A proposal passed and was not enacted in time.' },
    apply({ state, block, index, emit }, proposalId) {
      const proposal = proposalOf(state, proposalId);
      const { kind, contributionId, subjectHash } = proposal;
      endProposal(state, proposal, 'LAPSED', { height: block.height, index });
      emit('ProposalLapsed', { proposalId, kind, contributionId, subjectHash });
    },
  },
} as const satisfies Record<string, SystemKind>;

type GovernanceKind = keyof typeof GOVERNANCE_SYSTEM_KINDS;

export const GOVERNANCE_SYSTEM_RULES: readonly SystemRule<GovernanceKind>[] = [
  {
    collection: 'proposal',
    until: ({ height }) => height,
    limit: PROPOSALS_MOVED,
    // What waits for its height has its time behind it.
    kindOf: (state, block, proposalId) => endingOf(proposalOf(state, proposalId), block),
  },
  {
    // As with work orders: first the time, then the exact height, so that whatever is due is ready.
    collection: 'proposal-clock',
    until: ({ time }) => time,
    limit: PROPOSALS_MOVED,
    kindOf: (state, block, proposalId) => endingOf(proposalOf(state, proposalId), block),
  },
];

function endingOf({ proposalId, status, deadline }: ProposalRecord, block: BlockContext) {
  if (!deadline) throw new Error(`the proposal ${proposalId} has no deadline`);
  if (!isReached(deadline, block)) return 'awaitProposalHeight';
  return status === 'VOTING' ? 'closeProposalVote' : 'lapseProposal';
}

function proposalOf(state: ReadableState, proposalId: string): ProposalRecord {
  const proposal = state.get('proposal', proposalId);
  if (!proposal) throw new Error(`there is no proposal ${proposalId}`);
  return proposal;
}
