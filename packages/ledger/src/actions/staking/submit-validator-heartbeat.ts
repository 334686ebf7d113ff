import { ActorId } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { count } from '../../counters.ts';
import {
  countLocations,
  HEARTBEAT_MEMBERS,
  reportOf,
  requireHeartbeat,
} from '../presence/heartbeat.ts';
import { payReward, rewardFor } from './reward.ts';
import { requireCandidate } from './stake.ts';

export const submitValidatorHeartbeat = defineAction({
  name: 'submitValidatorHeartbeat',
  summary:
    'Report as a validator candidate which height and state root it has reached; earns the reward that is due.',
  grant: { VALIDATOR: 'application' },
  payload: exactly({ validatorId: ActorId, ...HEARTBEAT_MEMBERS }),
  actor: 'validatorId',
  errors: ['VALIDATOR_UNKNOWN', 'HEARTBEAT_SEQUENCE_STALE', 'HEARTBEAT_ROOT_MISMATCH'],
  events: ['ValidatorHeartbeatReceived', 'ValidatorRewarded'],

  check({ state, policy, block }, payload) {
    const { validatorId } = payload;
    const candidate = requireCandidate(state, validatorId);
    const last = state.get('validator-heartbeat', validatorId);
    requireHeartbeat(state, last, payload);
    return { candidate, last, reward: rewardFor(state, policy, block, candidate) };
  },

  apply(context, payload, { candidate, last, reward }) {
    const { state, emit } = context;
    const { validatorId, sequence, observedHeight, observedStateRoot } = payload;
    const report = reportOf(context, payload);
    state.put('validator-heartbeat', validatorId, { ...report, validatorId });
    countLocations(state, 'validators', last, report);
    if (!last) count(state, 'validator-heartbeats', 1);
    emit('ValidatorHeartbeatReceived', {
      observedHeight,
      observedStateRoot,
      sequence,
      validatorId,
    });
    payReward(context, candidate, reward);
    if (reward) emit('ValidatorRewarded', { ...reward, validatorId });
  },
});
