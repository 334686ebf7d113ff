import { releaseBonds as release } from '../../actions/operators/bonds.ts';
import type { SystemTransition } from '../../transition.ts';

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
