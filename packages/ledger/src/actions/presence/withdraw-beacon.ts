import { ActorId } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';

export const withdrawBeacon = defineAction({
  name: 'withdrawBeacon',
  summary: 'Take your beacon back; its sequence stays used.',
  grant: { AGENT: 'base' },
  payload: exactly({ agentId: ActorId }),
  actor: 'agentId',
  errors: ['BEACON_NOT_FOUND'],
  events: ['BeaconWithdrawn'],

  check({ state }, { agentId }) {
    const record = state.get('beacon', agentId);
    requireThat(record?.beacon, 'BEACON_NOT_FOUND', '/payload/agentId');
    return record;
  },

  apply({ state, emit }, { agentId }, record) {
    state.put('beacon', agentId, { ...record, beacon: null, expired: false });
    emit('BeaconWithdrawn', { agentId, sequence: record.lastSequence });
  },
});
