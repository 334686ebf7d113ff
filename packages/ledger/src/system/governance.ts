import { bothAgree, endProposal, putProposal } from '../actions/governance/proposals.ts';
import { deadlineAfter } from '../deadline.ts';
import { type SystemTransition, positionOf } from '../transition.ts';

export const closeProposalVote: SystemTransition = {
  summary: 'The voting period has ended: the proposal has passed both chambers, or is rejected.',
  events: ['ProposalPassed', 'ProposalRejected'],
  apply(context, proposalId) {
    const { state, block, policy, emit } = context;
    const proposal = state.get('proposal', proposalId);
    if (!proposal) throw new Error(`there is no proposal ${proposalId}`);
    const { kind, proposerId, contributionId, subjectHash, chambers } = proposal;
    const facts = { chambers, contributionId, kind, proposalId, proposerId, subjectHash };
    if (!bothAgree(proposal, policy.governance)) {
      endProposal(state, proposal, 'REJECTED', positionOf(context));
      emit('ProposalRejected', facts);
      return;
    }
    const executableAt = deadlineAfter(block, policy.governance.timelock);
    putProposal(state, proposal, {
      ...proposal,
      status: 'PASSED',
      executableAt,
      deadline: deadlineAfter(executableAt, policy.governance.enactWithin),
    });
    emit('ProposalPassed', { ...facts, executableAt });
  },
};

export const expireProposal: SystemTransition = {
  summary: 'A proposal was not enacted in time: it has expired.',
  events: ['ProposalExpired'],
  apply(context, proposalId) {
    const { state, emit } = context;
    const proposal = state.get('proposal', proposalId);
    if (!proposal) throw new Error(`there is no proposal ${proposalId}`);
    const { kind, proposerId, contributionId, subjectHash } = proposal;
    endProposal(state, proposal, 'EXPIRED', positionOf(context));
    emit('ProposalExpired', { contributionId, kind, proposalId, proposerId, subjectHash });
  },
};
