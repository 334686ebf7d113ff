import { ActorId, msToTimestamp } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { isReached } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { requireCandidate } from './stake.ts';

export const unjailValidator = defineAction({
  name: 'unjailValidator',
  summary:
    'Come back as a validator that was jailed for missed blocks: from the next term on it may be drawn again.',
  grant: { VALIDATOR: 'role' },
  payload: exactly({ validatorId: ActorId }),
  actor: 'validatorId',
  errors: ['VALIDATOR_UNKNOWN', 'VALIDATOR_FAULTY', 'VALIDATOR_NOT_JAILED', 'VALIDATOR_JAILED'],
  events: ['ValidatorUnjailed'],

  check({ state, block }, { validatorId }) {
    const path = '/payload/validatorId';
    const candidate = requireCandidate(state, validatorId);
    requireThat(candidate.faults === 0, 'VALIDATOR_FAULTY', path);
    const liveness = state.get('validator-liveness', validatorId);
    requireThat(liveness?.jailedUntil, 'VALIDATOR_NOT_JAILED', path);
    const { jailedUntil } = liveness;
    requireThat(
      isReached(jailedUntil, block),
      'VALIDATOR_JAILED',
      path,
      () => `it lasts until height ${jailedUntil.height} and ${msToTimestamp(jailedUntil.time)}`,
    );
    return liveness;
  },

  apply({ state, emit }, { validatorId }, liveness) {
    state.put('validator-liveness', validatorId, { ...liveness, jailedUntil: null, missed: 0 });
    emit('ValidatorUnjailed', { validatorId });
  },
});
