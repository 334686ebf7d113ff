import { Hash, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { isSevere, putFinding } from './audit.ts';

export const respondAuditFinding = defineAction({
  name: 'respondAuditFinding',
  summary:
    'Answer an audit finding. Medium and low ones are settled by it, unless merely accepted; critical and high ones once an auditor confirms.',
  grant: OPERATOR_ONLY,
  payload: exactly({
    findingId: RecordId,
    response: Type.Enum(['ACCEPTED', 'FIXED', 'DISPUTED', 'RISK_ACCEPTED'], {
      description: 'ACCEPTED: it holds and is yet to be fixed.',
    }),
    responseHash: Type.String({ ...Hash, description: 'Commitment to the reasons.' }),
  }),
  errors: ['AUDIT_FINDING_UNKNOWN', 'AUDIT_FINDING_SETTLED', 'AUDIT_RESPONSE_INSUFFICIENT'],
  events: ['AuditFindingAnswered'],

  check({ state }, { findingId, response }) {
    const finding = state.get('audit-finding', findingId);
    requireThat(finding, 'AUDIT_FINDING_UNKNOWN', '/payload/findingId');
    requireThat(finding.open, 'AUDIT_FINDING_SETTLED', '/payload/findingId');
    requireThat(
      !isSevere(finding.severity) || response !== 'RISK_ACCEPTED',
      'AUDIT_RESPONSE_INSUFFICIENT',
      '/payload/response',
    );
    return finding;
  },

  apply(context, { findingId, response, responseHash }, finding) {
    const { state, authority, emit } = context;
    const open = isSevere(finding.severity) || response === 'ACCEPTED';
    putFinding(state, finding, {
      ...finding,
      open,
      response: {
        at: positionOf(context),
        operatorId: authority.actorId,
        response,
        responseHash,
      },
    });
    const { engagementId, auditorId, severity } = finding;
    emit('AuditFindingAnswered', {
      auditorId,
      engagementId,
      findingId,
      open,
      operatorId: authority.actorId,
      response,
      severity,
    });
  },
});
