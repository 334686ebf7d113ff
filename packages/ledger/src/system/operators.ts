import { releaseBondOf, releaseBonds as release } from '../actions/operators/bonds.ts';
import { endApplication } from '../actions/operators/reservation.ts';
import type { SystemTransition } from '../transition.ts';

export const releaseBonds: SystemTransition = {
  summary:
    'The unbonding delay after a revocation has passed: the bonds go to the account named at the claim.',
  events: ['BondsReleased'],
  apply({ state, emit }, actorId) {
    const revocation = state.get('revocation', actorId);
    if (!revocation) throw new Error(`${actorId} was not revoked`);
    const payoutActorId = state.get('payout', actorId)?.payoutActorId ?? actorId;
    const released = release(state, actorId, payoutActorId);
    state.put('revocation', actorId, { ...revocation, releaseAt: null });
    emit('BondsReleased', { actorId, amount: released, payoutActorId });
  },
};

export const releaseRoleBond: SystemTransition = {
  summary: 'The unbonding delay after a resignation has passed: the bond of the role goes back.',
  events: ['RoleBondReleased'],
  apply({ state, emit }, subject) {
    const resignation = state.get('resignation', subject);
    if (!resignation) throw new Error(`there is no resignation ${subject}`);
    const { actorId, role } = resignation;
    const amount = releaseBondOf(state, actorId, role, actorId);
    state.delete('resignation', subject);
    emit('RoleBondReleased', { actorId, amount, role });
  },
};

export const expireOperatorApplication: SystemTransition = {
  summary:
    'An application was not approved or claimed in time: its actor id and its key are free again.',
  events: ['OperatorApplicationExpired'],
  apply({ state, emit }, applicationId) {
    const application = state.get('application', applicationId);
    if (!application) throw new Error(`there is no application ${applicationId}`);
    const { actorId, role, invitationId } = application;
    endApplication(state, application, { status: 'EXPIRED', invitation: 'EXPIRED' });
    emit('OperatorApplicationExpired', { actorId, applicationId, invitationId, role });
  },
};
