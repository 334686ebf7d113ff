import { ActorId } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { count } from '../../counters.ts';
import { countLocations, HEARTBEAT_MEMBERS, reportOf, requireHeartbeat } from './heartbeat.ts';

export const submitNodeHeartbeat = defineAction({
  name: 'submitNodeHeartbeat',
  summary: 'Report as a follower node which height and state root it has reached.',
  grant: { AGENT: 'base' },
  payload: exactly({ agentId: ActorId, ...HEARTBEAT_MEMBERS }),
  actor: 'agentId',
  errors: ['HEARTBEAT_SEQUENCE_STALE', 'HEARTBEAT_ROOT_MISMATCH'],
  events: ['NodeHeartbeatReceived'],

  check({ state }, payload) {
    const last = state.get('node-heartbeat', payload.agentId);
    requireHeartbeat(state, last, payload);
    return last;
  },

  apply(context, payload, last) {
    const { state, emit } = context;
    const { agentId, sequence, observedHeight, observedStateRoot } = payload;
    const report = reportOf(context, payload);
    state.put('node-heartbeat', agentId, { agentId, ...report });
    countLocations(state, 'nodes', last, report);
    if (!last) count(state, 'node-heartbeats', 1);
    emit('NodeHeartbeatReceived', { agentId, observedHeight, observedStateRoot, sequence });
  },
});
