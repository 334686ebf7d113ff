import { Amount, MILLISECONDS_PER_DAY } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { classAccount } from '../../accounting-classes.ts';
import { balanceOf, move } from '../../accounting.ts';
import { defineAction } from '../../action.ts';
import { addToTotal } from '../../cumulative-totals.ts';
import { RuleError } from '../../rule-error.ts';

const FAUCET = classAccount('faucet');

export const faucet = defineAction({
  name: 'faucet',
  summary: 'Receive test NET from the finite faucet account of genesis.',
  grant: { AGENT: 'policy', HUMAN: 'application' },
  payload: Type.Object({ amount: Amount }, { additionalProperties: false }),
  spends: { member: 'amount', amount: ({ amount }) => amount },
  errors: [
    'FAUCET_DISABLED',
    'FAUCET_REQUEST_LIMIT',
    'FAUCET_ACCOUNT_LIMIT',
    'FAUCET_DAILY_LIMIT',
    'FAUCET_EMPTY',
  ],
  events: ['FaucetPaid'],

  check({ state, policy, block, authority }, { amount }) {
    const path = '/payload/amount';
    const limits = policy.faucet;
    if (!limits.enabled) throw new RuleError('FAUCET_DISABLED', { path: '/action' });
    if (amount > limits.perRequest) {
      throw new RuleError('FAUCET_REQUEST_LIMIT', {
        path,
        message: `at most ${limits.perRequest} unet`,
      });
    }
    const received = state.get('account', authority.actorId)?.faucetReceived ?? 0;
    if (received + amount > limits.perAccount) {
      throw new RuleError('FAUCET_ACCOUNT_LIMIT', {
        path,
        message: `${limits.perAccount - received} unet are left for this account`,
      });
    }
    const day = Math.floor(block.time / MILLISECONDS_PER_DAY);
    const today = state.get('faucet-day', 'today');
    const paid = today?.day === day ? today.paid : 0;
    if (paid + amount > limits.perDay) {
      throw new RuleError('FAUCET_DAILY_LIMIT', {
        path,
        message: `${limits.perDay - paid} unet are left for today`,
      });
    }
    const left = balanceOf(state, FAUCET);
    if (left < amount)
      throw new RuleError('FAUCET_EMPTY', { path, message: `${left} unet are left` });
    return { received, day, paid };
  },

  apply({ state, authority, emit }, { amount }, { received, day, paid }) {
    const { actorId } = authority;
    move(state, FAUCET, actorId, amount);
    addToTotal(state, 'faucet', amount);
    const account = state.get('account', actorId);
    if (account) state.put('account', actorId, { ...account, faucetReceived: received + amount });
    state.put('faucet-day', 'today', { day, paid: paid + amount });
    emit('FaucetPaid', { actorId, amount });
  },
});
