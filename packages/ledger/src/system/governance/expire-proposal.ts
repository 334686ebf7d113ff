import { endProposal } from '../../actions/governance/proposals.ts';
import { positionOf, type SystemTransition } from '../../transition.ts';

export const expireProposal: SystemTransition = {
  summary: 'Nobody enacted a proposal in time: it has expired.',
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
