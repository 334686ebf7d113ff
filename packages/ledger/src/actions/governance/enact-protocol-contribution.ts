import { ActorId, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { isReached } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { putContribution } from '../contributions/contribution.ts';
import { endProposal, requireProposal } from './proposals.ts';
import { proposalSubject } from '../../standing-proposal.ts';

export const enactProtocolContribution = defineAction({
  name: 'enactProtocolContribution',
  summary:
    'Enact a proposal that passed and waited its timelock: its contribution becomes a release candidate, its genesis may be sealed.',
  grant: { GOVERNOR: 'application' },
  payload: exactly({
    governorId: Type.String({ ...ActorId, description: 'The governor who signs.' }),
    proposalId: RecordId,
  }),
  actor: 'governorId',
  errors: ['PROPOSAL_UNKNOWN', 'PROPOSAL_NOT_PASSED', 'TIMELOCK_RUNNING'],
  events: ['ProposalEnacted', 'ContributionReleaseCandidate'],

  check({ state, block }, { proposalId }) {
    const proposal = requireProposal(state, proposalId);
    const path = '/payload/proposalId';
    const { status, executableAt } = proposal;
    requireThat(
      status === 'PASSED' && executableAt,
      'PROPOSAL_NOT_PASSED',
      path,
      () => `it is ${status}`,
    );
    requireThat(
      isReached(executableAt, block),
      'TIMELOCK_RUNNING',
      path,
      () => `it runs until height ${executableAt.height} and time ${executableAt.time}`,
    );
    return proposal;
  },

  apply(context, { governorId, proposalId }, proposal) {
    const { state, emit } = context;
    const { kind, contributionId, subjectHash } = proposal;
    endProposal(state, proposal, 'ENACTED', positionOf(context));
    const subject = proposalSubject(kind, contributionId ?? subjectHash);
    state.put('proposal-subject', subject, {
      enactedProposalId: proposalId,
      latestProposalId: proposalId,
    });
    emit('ProposalEnacted', {
      actorId: governorId,
      contributionId,
      kind,
      proposalId,
      proposerId: proposal.proposerId,
      subjectHash,
    });
    if (contributionId === null) return;
    // An open proposal keeps its contribution from changing, so this cannot happen.
    const contribution = state.get('contribution', contributionId);
    if (contribution?.status !== 'GOVERNANCE_READY') {
      throw new Error(`the contribution ${contributionId} moved under a standing proposal`);
    }
    putContribution(state, contribution, { ...contribution, status: 'RELEASE_CANDIDATE' });
    emit('ContributionReleaseCandidate', { agentId: contribution.authorId, contributionId });
  },
});
