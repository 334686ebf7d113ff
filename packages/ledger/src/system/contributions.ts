import { putContribution } from '../actions/contributions/contribution.ts';
import type { SystemTransition } from '../transition.ts';

export const endJudging: SystemTransition = {
  summary:
    'Two groups disagree about a contribution and no further one has decided in time: it needs changes.',
  events: ['ContributionChangesRequired'],
  apply({ state, emit }, contributionId) {
    const contribution = state.get('contribution', contributionId);
    if (!contribution) throw new Error(`there is no contribution ${contributionId}`);
    const { authorId: agentId, status } = contribution;
    // No group outweighs another, so a disputed result is not confirmed.
    const reason = status === 'BUILD_VERIFICATION' ? 'BUILD_NOT_REPRODUCIBLE' : 'REVIEW_DISPUTED';
    putContribution(state, contribution, {
      ...contribution,
      status: 'CHANGES_REQUIRED',
      reason,
      deadline: null,
    });
    emit('ContributionChangesRequired', { agentId, contributionId, reason });
  },
};
