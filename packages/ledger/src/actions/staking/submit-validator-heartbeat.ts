import { ActorId } from '@netd/protocol';
import Type from 'typebox';
import { defineAction } from '../../action.ts';
import { count } from '../../counters.ts';
import {
  countPlaces,
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
  roles: ['VALIDATOR'],
  payload: Type.Object(
    { validatorId: ActorId, ...HEARTBEAT_MEMBERS },
    { additionalProperties: false },
  ),
  actor: 'validatorId',
  errors: ['VALIDATOR_UNKNOWN', 'HEARTBEAT_SEQUENCE_STALE', 'HEARTBEAT_ROOT_MISMATCH'],
  events: {
    ValidatorHeartbeatReceived: 'A validator candidate reported what it has verified.',
    ValidatorRewarded:
      'The reward pool paid a validator candidate and the stake of its delegators.',
  },

  check({ state, policy, block }, payload) {
    const { validatorId } = payload;
    const candidate = requireCandidate(state, validatorId);
    const last = state.get('validator-heartbeat', validatorId);
    requireHeartbeat(state, last, payload);
    return { candidate, last, reward: rewardFor(state, policy, block, candidate) };
  },

  apply(context, payload, { candidate, last, reward }) {
    const { state, block, emit } = context;
    const { validatorId, sequence, observedHeight, observedStateRoot } = payload;
    const report = reportOf(context, payload);
    state.put('validator-heartbeat', validatorId, { validatorId, ...report });
    countPlaces(state, 'validators', last, report);
    if (!last) count(state, 'validator-heartbeats', 1);
    emit('ValidatorHeartbeatReceived', {
      validatorId,
      sequence,
      observedHeight,
      observedStateRoot,
    });
    payReward(state, block, candidate, reward);
    if (reward) emit('ValidatorRewarded', { validatorId, ...reward });
  },
});
