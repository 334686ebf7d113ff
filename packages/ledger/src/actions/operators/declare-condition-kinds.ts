import { ActorId, ConditionKinds } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import { putVerifier } from './verifier-roster.ts';

export const declareConditionKinds = defineAction({
  name: 'declareConditionKinds',
  since: 2,
  summary: 'As a verifier, declare the kinds of conditions that you judge.',
  grant: { VERIFIER: 'role' },
  payload: exactly({ verifierId: ActorId, conditionKinds: ConditionKinds }),
  actor: 'verifierId',
  errors: ['ROLE_NOT_HELD'],
  events: ['ConditionKindsDeclared'],

  check({ state }, { verifierId }) {
    const verifier = state.get('verifier', verifierId);
    requireThat(verifier?.active, 'ROLE_NOT_HELD', '/payload/verifierId');
    return verifier;
  },

  apply({ state, emit }, { verifierId, conditionKinds }, verifier) {
    putVerifier(state, { ...verifier, conditionKinds });
    emit('ConditionKindsDeclared', { conditionKinds, verifierId });
  },
});
