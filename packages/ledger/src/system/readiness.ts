import { type SystemTransition, positionOf } from '../transition.ts';

export const expireAuditEngagement: SystemTransition = {
  summary: 'No report on an audit came until it was due: it counts as no audit.',
  events: ['AuditEngagementExpired'],
  apply(context, engagementId) {
    const { state, emit } = context;
    const engagement = state.get('audit-engagement', engagementId);
    if (!engagement) throw new Error(`there is no engagement ${engagementId}`);
    const { operatorId, auditorIds } = engagement;
    state.put('audit-engagement', engagementId, {
      ...engagement,
      status: 'EXPIRED',
      closedAt: positionOf(context),
    });
    emit('AuditEngagementExpired', { auditorIds, engagementId, operatorId });
  },
};
