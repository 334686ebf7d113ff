import { RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import { requireThat } from '../../rule-error.ts';
import { applicationStatus, isUnfinished } from './application.ts';
import { endApplication } from './reservation.ts';

export const rejectOperatorApplication = defineAction({
  name: 'rejectOperatorApplication',
  summary: 'Reject an application that has not been claimed; an invitation is withdrawn with it.',
  grant: OPERATOR_ONLY,
  payload: exactly({
    applicationId: RecordId,
    reason: Type.Optional(Type.String({ maxLength: 280, description: 'Public.' })),
  }),
  errors: ['APPLICATION_UNKNOWN', 'APPLICATION_NOT_PENDING', 'APPLICATION_EXPIRED'],
  events: ['OperatorApplicationRejected'],

  check({ state, block }, { applicationId }) {
    const path = '/payload/applicationId';
    const application = state.get('application', applicationId);
    requireThat(application, 'APPLICATION_UNKNOWN', path);
    const status = applicationStatus(application, block.height);
    requireThat(status !== 'EXPIRED', 'APPLICATION_EXPIRED', path);
    requireThat(isUnfinished(status), 'APPLICATION_NOT_PENDING', path);
    return application;
  },

  apply({ state, authority, emit }, { applicationId, reason = null }, application) {
    const { actorId, role, invitationId } = application;
    endApplication(state, application, { status: 'REJECTED', reason, invitation: 'WITHDRAWN' });
    emit('OperatorApplicationRejected', {
      actorId,
      applicationId,
      invitationId,
      operatorId: authority.actorId,
      reason,
      role,
    });
  },
});
