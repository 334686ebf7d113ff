import { endApplication } from '../../actions/operators/reservation.ts';
import type { SystemTransition } from '../../transition.ts';

export const expireOperatorApplication: SystemTransition = {
  summary:
    'Nobody approved or claimed an application in time: its actor id and its key are free again.',
  events: ['OperatorApplicationExpired'],
  apply({ state, emit }, applicationId) {
    const application = state.get('application', applicationId);
    if (!application) throw new Error(`there is no application ${applicationId}`);
    const { actorId, role, invitationId } = application;
    endApplication(state, application, { status: 'EXPIRED', invitation: 'EXPIRED' });
    emit('OperatorApplicationExpired', { actorId, applicationId, invitationId, role });
  },
};
