import { Amount, MILLISECONDS_PER_DAY, msToTimestamp } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { classAccount } from '../../accounting-classes.ts';
import { balanceOf, move } from '../../accounting.ts';
import { defineAction } from '../../action.ts';
import { addToTotal } from '../../cumulative-totals.ts';
import type { AuthorityRecord, PolicyRecord } from '../../chain-records.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';
import { isNamePaid } from '../../name-price.ts';
import { workStatsOf } from '../work/order.ts';
import type { FaucetDayRecord } from './records.ts';

const FAUCET = classAccount('faucet');

type Limits = PolicyRecord['faucet'];

/** Returns the limits for an actor. An actor whose name did not pay its price has no first draw. */
export const faucetLimitsOf = (
  state: ReadableState,
  policy: PolicyRecord,
  authority: AuthorityRecord,
): Limits =>
  isNamePaid(state, policy, authority) ? policy.faucet : { ...policy.faucet, perNewcomer: 0 };

/** Returns the unet that an account may draw in its life. The allowance grows with paid orders. */
export function faucetAllowance(limits: Limits, verifiedOrders: number): number {
  const { perAccount, perNewcomer, perVerifiedOrder } = limits;
  // Count orders first, so that the product stays a safe integer.
  const orders =
    perVerifiedOrder === 0 ? 0 : Math.ceil((perAccount - perNewcomer) / perVerifiedOrder);
  if (verifiedOrders >= orders) return perVerifiedOrder === 0 ? perNewcomer : perAccount;
  return perNewcomer + verifiedOrders * perVerifiedOrder;
}

export function faucetDay(last: FaucetDayRecord | undefined, day: number): FaucetDayRecord {
  return last?.day === day ? last : { day, paid: 0, paidAgain: 0 };
}

export function leftToday(
  limits: Limits,
  { paid, paidAgain }: FaucetDayRecord,
  again: boolean,
): number {
  const left = limits.perDay - paid;
  return again ? Math.min(left, limits.perDay - limits.keptForFirst - paidAgain) : left;
}

export const faucet = defineAction({
  name: 'faucet',
  summary: 'Receive test NET from the finite faucet account of genesis.',
  grant: { AGENT: 'policy', HUMAN: 'application' },
  payload: exactly({ amount: Amount }),
  spends: { member: 'amount', amount: ({ amount }) => amount, ofPool: true },
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
    const { actorId } = authority;
    const limits = faucetLimitsOf(state, policy, authority);
    requireThat(limits.enabled, 'FAUCET_DISABLED', '/action');
    requireThat(
      amount <= limits.perRequest,
      'FAUCET_REQUEST_LIMIT',
      path,
      () => `it may ask for at most ${limits.perRequest} unet`,
    );
    const received = state.get('account', actorId)?.faucetReceived ?? 0;
    const allowance = faucetAllowance(limits, workStatsOf(state, actorId).verifiedOrders);
    requireThat(received + amount <= allowance, 'FAUCET_ACCOUNT_LIMIT', path, () => {
      const left = `${Math.max(0, allowance - received)} unet are left for this account`;
      const more = `; each order it is paid for adds ${limits.perVerifiedOrder}, up to ${limits.perAccount}`;
      const unpaid = isNamePaid(state, policy, authority)
        ? ''
        : ', because its registration did not pay for its name';
      return allowance < limits.perAccount ? left + unpaid + more : left;
    });
    const day = Math.floor(block.time / MILLISECONDS_PER_DAY);
    const today = faucetDay(state.get('faucet-day', 'today'), day);
    const again = received > 0;
    const left = leftToday(limits, today, again);
    requireThat(amount <= left, 'FAUCET_DAILY_LIMIT', path, () => {
      const which = again ? ' for accounts that have drawn before' : '';
      const tomorrow = msToTimestamp((day + 1) * MILLISECONDS_PER_DAY);
      return `${left} unet are left${which} until ${tomorrow}`;
    });
    const held = balanceOf(state, FAUCET);
    requireThat(held >= amount, 'FAUCET_EMPTY', path, () => `${held} unet are left`);
    return { received, today, again };
  },

  apply({ state, authority, emit }, { amount }, { received, today, again }) {
    const { actorId } = authority;
    move(state, FAUCET, actorId, amount);
    addToTotal(state, 'faucet', amount);
    const account = state.get('account', actorId);
    if (account) state.put('account', actorId, { ...account, faucetReceived: received + amount });
    state.put('faucet-day', 'today', {
      ...today,
      paid: today.paid + amount,
      paidAgain: today.paidAgain + (again ? amount : 0),
    });
    emit('FaucetPaid', { actorId, amount });
  },
});
