import { ActorId, Hash, Height, HttpsUri, RECENT_ROOTS } from '@netd/protocol';
import Type from 'typebox';
import { defineAction } from '../../action.ts';
import { count } from '../../counters.ts';
import { RuleError } from '../../rule-error.ts';

const Label = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }));

export const submitNodeHeartbeat = defineAction({
  name: 'submitNodeHeartbeat',
  summary: 'Report as a follower node which height and state root it has reached.',
  roles: ['AGENT'],
  payload: Type.Object(
    {
      agentId: ActorId,
      sequence: Type.Integer({ minimum: 1, description: 'Above the last one sent.' }),
      observedHeight: Height,
      observedStateRoot: Hash,
      nodeVersion: Type.String({ minLength: 1, maxLength: 64 }),
      endpoint: Type.Optional(HttpsUri),
      region: Label,
      countryCode: Type.Optional(
        Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1.' }),
      ),
      faultDomain: Label,
    },
    { additionalProperties: false },
  ),
  actor: 'agentId',
  errors: ['HEARTBEAT_SEQUENCE_STALE', 'HEARTBEAT_ROOT_MISMATCH'],
  events: { NodeHeartbeatReceived: 'A follower node reported what it has verified.' },

  check({ state }, { agentId, sequence, observedHeight, observedStateRoot }) {
    const last = state.get('node-heartbeat', agentId);
    if (last && sequence <= last.sequence) {
      throw new RuleError('HEARTBEAT_SEQUENCE_STALE', {
        path: '/payload/sequence',
        message: `the last one was ${last.sequence}`,
      });
    }
    const known = state.get('recent-root', String(observedHeight % RECENT_ROOTS));
    if (known?.height !== observedHeight || known.stateRoot !== observedStateRoot) {
      throw new RuleError('HEARTBEAT_ROOT_MISMATCH', { path: '/payload/observedStateRoot' });
    }
    return { isFirst: !last };
  },

  apply({ state, block, index, emit }, payload, { isFirst }) {
    const { agentId, sequence, observedHeight, observedStateRoot, nodeVersion } = payload;
    state.put('node-heartbeat', agentId, {
      agentId,
      sequence,
      observedHeight,
      observedStateRoot,
      nodeVersion,
      endpoint: payload.endpoint ?? null,
      region: payload.region ?? null,
      countryCode: payload.countryCode ?? null,
      faultDomain: payload.faultDomain ?? null,
      receivedAt: { height: block.height, index },
    });
    if (isFirst) count(state, 'node-heartbeats', 1);
    emit('NodeHeartbeatReceived', { agentId, sequence, observedHeight, observedStateRoot });
  },
});
