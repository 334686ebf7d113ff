import type { SystemTransition } from '../transition.ts';

export const expireBeacon: SystemTransition = {
  summary: 'The last height of a beacon has passed: its agent is not discovered by it any more.',
  events: ['BeaconExpired'],
  apply({ state, emit }, agentId) {
    const record = state.get('beacon', agentId);
    if (!record?.beacon) throw new Error(`${agentId} has no beacon`);
    state.put('beacon', agentId, { ...record, expired: true });
    emit('BeaconExpired', { agentId, sequence: record.lastSequence });
  },
};
