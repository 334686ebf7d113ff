import { ActorId, msToTimestamp } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { isReached } from '../../deadline.ts';
import { RuleError } from '../../rule-error.ts';
import { requireCandidate } from './stake.ts';

export const unjailValidator = defineAction({
  name: 'unjailValidator',
  summary:
    'Come back as a validator that was jailed for missed blocks: from the next term on it may be drawn again.',
  grant: { VALIDATOR: 'role' },
  payload: Type.Object({ validatorId: ActorId }, { additionalProperties: false }),
  actor: 'validatorId',
  errors: ['VALIDATOR_UNKNOWN', 'VALIDATOR_FAULTY', 'VALIDATOR_NOT_JAILED', 'VALIDATOR_JAILED'],
  events: ['ValidatorUnjailed'],

  check({ state, block }, { validatorId }) {
    const path = '/payload/validatorId';
    if (requireCandidate(state, validatorId).faults > 0) {
      throw new RuleError('VALIDATOR_FAULTY', { path });
    }
    const liveness = state.get('validator-liveness', validatorId);
    if (!liveness?.jailedUntil) throw new RuleError('VALIDATOR_NOT_JAILED', { path });
    if (!isReached(liveness.jailedUntil, block)) {
      const { height, time } = liveness.jailedUntil;
      throw new RuleError('VALIDATOR_JAILED', {
        path,
        message: `until height ${height} and ${msToTimestamp(time)}`,
      });
    }
    return liveness;
  },

  apply({ state, emit }, { validatorId }, liveness) {
    state.put('validator-liveness', validatorId, { ...liveness, jailedUntil: null, missed: 0 });
    emit('ValidatorUnjailed', { validatorId });
  },
});
