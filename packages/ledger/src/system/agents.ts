import { capabilitiesEndingAt } from '../authority.ts';
import type { SystemTransition } from '../transition.ts';

export const expireCapabilities: SystemTransition = {
  summary: 'The last height of some capabilities of an actor has passed: they allow nothing more.',
  events: ['CapabilitiesExpired'],
  apply({ state, emit }, subject) {
    const { actorId, capabilities } = capabilitiesEndingAt(state, subject);
    emit('CapabilitiesExpired', { actorId, capabilities });
  },
};
