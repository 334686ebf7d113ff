import { Hash, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { requireOpenEngagement } from './audit.ts';

export const closeAuditEngagement = defineAction({
  name: 'closeAuditEngagement',
  summary: 'Close an audit that has been reported on and has no open critical or high findings.',
  grant: OPERATOR_ONLY,
  payload: exactly({
    engagementId: RecordId,
    reportHash: Type.Optional(
      Type.String({ ...Hash, description: 'Commitment to the final report.' }),
    ),
  }),
  errors: [
    'AUDIT_ENGAGEMENT_UNKNOWN',
    'AUDIT_ENGAGEMENT_CLOSED',
    'AUDIT_FINDINGS_OPEN',
    'AUDIT_NOT_REPORTED',
  ],
  events: ['AuditEngagementClosed'],

  check(context, { engagementId }) {
    const path = '/payload/engagementId';
    const engagement = requireOpenEngagement(context, engagementId);
    const { open, findings, dueAtHeight } = engagement;
    requireThat(
      open.CRITICAL + open.HIGH <= 0,
      'AUDIT_FINDINGS_OPEN',
      path,
      () => `${open.CRITICAL} critical and ${open.HIGH} high ones are open`,
    );
    // An audit without findings has no report by an auditor.
    requireThat(
      findings !== 0,
      'AUDIT_NOT_REPORTED',
      path,
      () => `it expires after height ${dueAtHeight}`,
    );
    return engagement;
  },

  apply(context, { engagementId, reportHash = null }, engagement) {
    const { state, authority, emit } = context;
    state.put('audit-engagement', engagementId, {
      ...engagement,
      status: 'CLOSED',
      reportHash,
      closedAt: positionOf(context),
    });
    count(state, 'audit-engagements-closed', 1);
    emit('AuditEngagementClosed', {
      auditorIds: engagement.auditorIds,
      engagementId,
      findings: engagement.findings,
      open: engagement.open,
      operatorId: authority.actorId,
      reportHash,
    });
  },
});
