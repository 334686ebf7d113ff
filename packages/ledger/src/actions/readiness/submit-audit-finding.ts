import { ActorId, Hash, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { SEVERITIES, type AuditFindingRecord } from './records.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';
import { positionOf } from '../../transition.ts';
import { isConfirmable, putFinding, requireOpenEngagement } from './audit.ts';
import { requireAuditor } from '../operators/auditor.ts';

/** Findings per audit, confirmations not counted. */
export const MAX_FINDINGS = 256;

export const submitAuditFinding = defineAction({
  name: 'submitAuditFinding',
  summary:
    'Report a finding of an audit, or confirm with an INFO finding how a critical or high one was answered.',
  grant: { AUDITOR: 'application' },
  payload: exactly({
    auditorId: ActorId,
    engagementId: RecordId,
    findingId: RecordId,
    severity: Type.Enum([...SEVERITIES], { description: 'INFO asks for no answer.' }),
    findingHash: Type.String({ ...Hash, description: 'Commitment to the report.' }),
    title: Type.String({ minLength: 1, maxLength: 140, description: 'Public.' }),
    component: Type.String({ minLength: 1, maxLength: 128, description: 'What it is about.' }),
    confirms: Type.Optional(
      Type.String({
        ...RecordId,
        description:
          'A critical or high finding, answered with FIXED or DISPUTED, that you agree is settled.',
      }),
    ),
  }),
  actor: 'auditorId',
  errors: [
    'AUDITOR_UNKNOWN',
    'AUDIT_ENGAGEMENT_UNKNOWN',
    'AUDIT_ENGAGEMENT_CLOSED',
    'AUDIT_FINDING_EXISTS',
    'NOT_ENGAGED_AUDITOR',
    'AUDIT_FINDING_LIMIT',
    'AUDIT_CONFIRMATION_INVALID',
  ],
  events: ['AuditFindingSubmitted', 'AuditFindingConfirmed'],

  check(context, { auditorId, engagementId, findingId, severity, confirms }) {
    const { state } = context;
    requireAuditor(state, auditorId);
    const engagement = requireOpenEngagement(context, engagementId);
    requireThat(
      !state.get('audit-finding', findingId),
      'AUDIT_FINDING_EXISTS',
      '/payload/findingId',
    );
    if (confirms !== undefined) {
      // Any auditor may confirm, because the named ones may have left.
      return { engagement, confirmed: requireConfirmable(state, confirms, engagementId, severity) };
    }
    requireThat(
      engagement.auditorIds?.includes(auditorId) !== false,
      'NOT_ENGAGED_AUDITOR',
      '/payload/auditorId',
    );
    requireThat(
      engagement.findings - engagement.confirmations < MAX_FINDINGS,
      'AUDIT_FINDING_LIMIT',
      '/payload/engagementId',
    );
    return { engagement, confirmed: null };
  },

  apply(context, payload, { engagement, confirmed }) {
    const { state, transitionHash, emit } = context;
    const { auditorId, engagementId, findingId, severity } = payload;
    count(state, 'audit-findings', 1);
    state.put('audit-engagement', engagementId, {
      ...engagement,
      findings: engagement.findings + 1,
      confirmations: engagement.confirmations + (confirmed ? 1 : 0),
    });
    putFinding(state, null, {
      auditorId,
      component: payload.component,
      confirmedBy: null,
      confirms: confirmed?.findingId ?? null,
      engagementId,
      findingHash: payload.findingHash,
      findingId,
      open: severity !== 'INFO',
      response: null,
      severity,
      submittedAt: positionOf(context),
      title: payload.title,
      transitionHash,
    });
    emit('AuditFindingSubmitted', {
      actorId: auditorId,
      confirms: confirmed?.findingId ?? null,
      engagementId,
      findingId,
      severity,
    });
    if (!confirmed) return;
    putFinding(state, confirmed, { ...confirmed, open: false, confirmedBy: findingId });
    emit('AuditFindingConfirmed', {
      actorId: auditorId,
      engagementId,
      findingId: confirmed.findingId,
      response: confirmed.response?.response ?? null,
    });
  },
});

function requireConfirmable(
  state: ReadableState,
  findingId: string,
  engagementId: string,
  severity: string,
): AuditFindingRecord {
  const finding = state.get('audit-finding', findingId);
  const fits = finding?.engagementId === engagementId && isConfirmable(finding);
  requireThat(
    fits && severity === 'INFO',
    'AUDIT_CONFIRMATION_INVALID',
    severity === 'INFO' ? '/payload/confirms' : '/payload/severity',
  );
  return finding;
}
