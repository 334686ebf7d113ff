import { ActorId, Hash, Height, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import { count } from '../../counters.ts';
import { requireLastHeight } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { requireAuditor } from '../operators/auditor.ts';

/** Heights until an audit is due at the latest: about four months of empty blocks. */
export const MAX_DUE_DISTANCE = 1_000_000;

export const createAuditEngagement = defineAction({
  name: 'createAuditEngagement',
  summary: 'Open an audit: findings can be submitted by the auditors it names, or by any.',
  grant: OPERATOR_ONLY,
  payload: exactly({
    engagementId: RecordId,
    title: Type.String({ minLength: 1, maxLength: 140, description: 'Public.' }),
    scopeHash: Type.String({ ...Hash, description: 'Commitment to the audited subject.' }),
    auditorIds: Type.Optional(
      Type.Array(ActorId, {
        minItems: 1,
        maxItems: 16,
        uniqueItems: true,
        description: 'Who may submit findings; left out, every auditor may.',
      }),
    ),
    dueAtHeight: Type.Integer({
      ...Height,
      description: 'The last height for a first report; without one it expires.',
    }),
  }),
  errors: ['AUDIT_ENGAGEMENT_EXISTS', 'AUDIT_DUE_INVALID', 'AUDITOR_UNKNOWN'],
  events: ['AuditEngagementCreated'],

  check({ state, block }, { engagementId, auditorIds, dueAtHeight }) {
    requireThat(
      !state.get('audit-engagement', engagementId),
      'AUDIT_ENGAGEMENT_EXISTS',
      '/payload/engagementId',
    );
    requireLastHeight(dueAtHeight, block, {
      path: '/payload/dueAtHeight',
      passed: 'AUDIT_DUE_INVALID',
      ahead: { most: MAX_DUE_DISTANCE, tooFar: 'AUDIT_DUE_INVALID' },
    });
    auditorIds?.forEach((auditorId, i) => {
      requireAuditor(state, auditorId, `/payload/auditorIds/${i}`);
    });
  },

  apply(context, payload) {
    const { state, authority, emit } = context;
    const { engagementId, title, scopeHash, auditorIds = null, dueAtHeight } = payload;
    state.put('audit-engagement', engagementId, {
      auditorIds,
      closedAt: null,
      confirmations: 0,
      createdAt: positionOf(context),
      dueAtHeight,
      engagementId,
      findings: 0,
      open: { CRITICAL: 0, HIGH: 0, LOW: 0, MEDIUM: 0 },
      operatorId: authority.actorId,
      reportHash: null,
      scopeHash,
      status: 'OPEN',
      title,
    });
    count(state, 'audit-engagements', 1);
    emit('AuditEngagementCreated', {
      auditorIds,
      dueAtHeight,
      engagementId,
      operatorId: authority.actorId,
      scopeHash,
      title,
    });
  },
});
