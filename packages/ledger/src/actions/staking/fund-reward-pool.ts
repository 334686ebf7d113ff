import { Amount } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { classAccount } from '../../accounting-classes.ts';
import { move, requireBalance } from '../../accounting.ts';
import { defineAction } from '../../action.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import { addToTotal } from '../../cumulative-totals.ts';

export const fundRewardPool = defineAction({
  name: 'fundRewardPool',
  summary: 'Add to the reward pool, from your account or from the treasury of the network.',
  grant: OPERATOR_ONLY,
  payload: exactly({
    amount: Amount,
    source: Type.Optional(
      Type.Enum(['account', 'treasury'], { description: 'account unless told.' }),
    ),
  }),
  spends: { member: 'amount', amount: ({ amount }) => amount },
  errors: ['INSUFFICIENT_BALANCE'],
  events: ['RewardPoolFunded'],

  check({ state, authority }, { amount, source = 'account' }) {
    const from = source === 'treasury' ? classAccount('treasury') : authority.actorId;
    requireBalance(state, from, amount);
    return { source, from };
  },

  apply({ state, authority, emit }, { amount }, { source, from }) {
    move(state, from, classAccount('reward-pool'), amount);
    addToTotal(state, 'reward-funding', amount);
    emit('RewardPoolFunded', { actorId: authority.actorId, amount, source });
  },
});
