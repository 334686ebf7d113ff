import { ActorId } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { RuleError } from '../../rule-error.ts';

export const withdrawBeacon = defineAction({
  name: 'withdrawBeacon',
  summary: 'Take the own beacon back; its sequence stays used.',
  grant: { AGENT: 'base' },
  payload: Type.Object({ agentId: ActorId }, { additionalProperties: false }),
  actor: 'agentId',
  errors: ['BEACON_NOT_FOUND'],
  events: ['BeaconWithdrawn'],

  check({ state }, { agentId }) {
    const record = state.get('beacon', agentId);
    if (!record?.beacon) throw new RuleError('BEACON_NOT_FOUND', { path: '/payload/agentId' });
    return record;
  },

  apply({ state, emit }, { agentId }, record) {
    state.put('beacon', agentId, { ...record, beacon: null, expired: false });
    emit('BeaconWithdrawn', { agentId, sequence: record.lastSequence });
  },
});
