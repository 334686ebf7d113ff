import { expireHandover } from '../actions/memory/handover.ts';
import type { SystemTransition } from '../transition.ts';

export const expireMemoryHandover: SystemTransition = {
  summary:
    'A handover was not ended in time: it is aborted, and the agent can prepare another one.',
  events: ['MemoryHandoverExpired'],
  apply(context, handoverId) {
    const handover = context.state.get('memory-handover', handoverId);
    if (!handover) throw new Error(`there is no handover ${handoverId}`);
    expireHandover(context, handover);
  },
};

export const expireRuntimeOffer: SystemTransition = {
  summary:
    'The last height of a runtime offer has passed: handovers to it can no longer be prepared.',
  events: ['RuntimeOfferExpired'],
  apply({ state, emit }, runtimeId) {
    const offer = state.get('runtime-offer', runtimeId);
    if (!offer) throw new Error(`there is no offer of ${runtimeId}`);
    state.put('runtime-offer', runtimeId, { ...offer, expired: true });
    emit('RuntimeOfferExpired', { actorId: offer.providerId, runtimeId });
  },
};
