import { ActorId, Hash, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { positionOf } from '../../transition.ts';
import type { SecurityReview } from './records.ts';
import { requireAuditor } from '../operators/auditor.ts';
import {
  judgingDeadline,
  putContribution,
  REQUIRED_GROUPS,
  requireContribution,
  requireIndependent,
  requireStage,
} from './contribution.ts';

export const reviewProtocolContribution = defineAction({
  name: 'reviewProtocolContribution',
  summary: 'As an auditor, state whether a contribution whose build is verified is safe.',
  grant: { AUDITOR: 'application' },
  payload: exactly({
    auditorId: Type.String({ ...ActorId, description: 'The auditor who signs.' }),
    contributionId: RecordId,
    verdict: Type.Enum(['PASS', 'FAIL']),
    reportHash: Type.String({ ...Hash, description: 'Commitment to the report.' }),
  }),
  actor: 'auditorId',
  errors: [
    'CONTRIBUTION_UNKNOWN',
    'CONTRIBUTION_STATUS',
    'AUDITOR_UNKNOWN',
    'OWN_CONTRIBUTION',
    'INDEPENDENCE_GROUP_HEARD',
  ],
  events: ['ContributionReviewed', 'ContributionGovernanceReady', 'ContributionChangesRequired'],

  check({ state }, { auditorId, contributionId }) {
    const contribution = requireContribution(state, contributionId);
    requireStage(contribution, 'SECURITY_REVIEW');
    const auditor = requireAuditor(state, auditorId);
    requireIndependent(state, contribution, auditor, contribution.reviews);
    return { contribution, auditor };
  },

  apply(context, payload, { contribution, auditor }) {
    const { state, emit } = context;
    const { contributionId, verdict, ...reviewed } = payload;
    const reviews: SecurityReview[] = [
      ...contribution.reviews,
      {
        ...reviewed,
        verdict,
        independenceGroup: auditor.independenceGroup,
        reviewedAt: positionOf(context),
      },
    ];
    const { authorId: agentId } = contribution;
    emit('ContributionReviewed', { agentId, actorId: payload.auditorId, ...payload });
    const same = reviews.filter((review) => review.verdict === verdict).length;
    if (same < REQUIRED_GROUPS) {
      const deadline = judgingDeadline(context, contribution, reviews);
      putContribution(state, contribution, { ...contribution, reviews, deadline });
    } else if (verdict === 'PASS') {
      putContribution(state, contribution, {
        ...contribution,
        reviews,
        deadline: null,
        status: 'GOVERNANCE_READY',
      });
      emit('ContributionGovernanceReady', { agentId, contributionId });
    } else {
      const reason = 'REVIEW_FAILED';
      putContribution(state, contribution, {
        ...contribution,
        reviews,
        deadline: null,
        status: 'CHANGES_REQUIRED',
        reason,
      });
      emit('ContributionChangesRequired', { agentId, contributionId, reason });
    }
  },
});
