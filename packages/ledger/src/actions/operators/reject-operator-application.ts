import { RecordId } from '@netd/protocol';
import Type from 'typebox';
import { defineAction } from '../../action.ts';
import { RuleError } from '../../rule-error.ts';
import { applicationStatus, letGo } from './application.ts';

export const rejectOperatorApplication = defineAction({
  name: 'rejectOperatorApplication',
  summary: 'Reject an application that has not been claimed; an invitation is withdrawn with it.',
  roles: ['OPERATOR'],
  payload: Type.Object(
    {
      applicationId: RecordId,
      reason: Type.Optional(Type.String({ maxLength: 280, description: 'Public.' })),
    },
    { additionalProperties: false },
  ),
  errors: ['APPLICATION_UNKNOWN', 'APPLICATION_NOT_PENDING', 'APPLICATION_EXPIRED'],
  events: { OperatorApplicationRejected: 'An operator rejected an application.' },

  check({ state, block }, { applicationId }) {
    const path = '/payload/applicationId';
    const application = state.get('application', applicationId);
    if (!application) throw new RuleError('APPLICATION_UNKNOWN', { path });
    const status = applicationStatus(application, block.height - 1);
    if (status === 'EXPIRED') throw new RuleError('APPLICATION_EXPIRED', { path });
    if (status !== 'PENDING' && status !== 'APPROVED') {
      throw new RuleError('APPLICATION_NOT_PENDING', { path });
    }
    return application;
  },

  apply({ state, emit }, { applicationId, reason = null }, application) {
    const { actorId, role, invitationId } = application;
    state.put('application', applicationId, { ...application, status: 'REJECTED', reason });
    const invitation = invitationId === null ? undefined : state.get('invitation', invitationId);
    if (invitation) {
      state.put('invitation', invitation.invitationId, { ...invitation, status: 'WITHDRAWN' });
    }
    letGo(state, application);
    emit('OperatorApplicationRejected', { applicationId, actorId, role, invitationId, reason });
  },
});
