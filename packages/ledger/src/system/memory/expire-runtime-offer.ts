import type { SystemTransition } from '../../transition.ts';

export const expireRuntimeOffer: SystemTransition = {
  summary: 'The last height of a runtime offer has passed: nobody can prepare a handover to it.',
  events: ['RuntimeOfferExpired'],
  apply({ state, emit }, runtimeId) {
    const offer = state.get('runtime-offer', runtimeId);
    if (!offer) throw new Error(`there is no offer of ${runtimeId}`);
    state.put('runtime-offer', runtimeId, { ...offer, expired: true });
    emit('RuntimeOfferExpired', { actorId: offer.providerId, runtimeId });
  },
};
