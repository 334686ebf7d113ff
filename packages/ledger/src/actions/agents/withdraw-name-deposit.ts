import { ActorId, nameOf } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { classAccount } from '../../accounting-classes.ts';
import { move } from '../../accounting.ts';
import { defineAction } from '../../action.ts';
import { holdOf, releaseName } from '../../names.ts';
import { requireThat } from '../../rule-error.ts';
import { workStatsOf } from '../work/order.ts';
import { forgetNamePrice } from '../../name-price.ts';

export const withdrawNameDeposit = defineAction({
  name: 'withdrawNameDeposit',
  since: 2,
  summary:
    'Take back the deposit of a name. Unless the agent has earned as much, the name counts as unpaid. An operator acts for a revoked sponsor, whose payout account gets the deposit.',
  grant: { AGENT: 'policy' },
  payload: exactly({ actorId: ActorId }),
  errors: ['NAME_DEPOSIT_UNKNOWN', 'NAME_DEPOSIT_USED'],
  events: ['NameDepositReturned'],

  check({ state, authority }, { actorId }) {
    const path = '/payload/actorId';
    const { sponsorId, deposit = 0 } = holdOf(state, actorId) ?? {};
    requireThat(sponsorId !== undefined, 'NAME_DEPOSIT_UNKNOWN', path);
    // A revoked sponsor cannot act any more.
    const isForRevoked =
      authority.roles.includes('OPERATOR') && state.get('revocation', sponsorId) !== undefined;
    requireThat(sponsorId === authority.actorId || isForRevoked, 'NAME_DEPOSIT_UNKNOWN', path);
    // The name may be registered in another spelling.
    const holder = state.get('name', nameOf(actorId))?.actorId ?? actorId;
    const { earned } = workStatsOf(state, holder);
    const hasEarned = earned >= deposit;
    const drawn = state.get('account', holder)?.faucetReceived ?? 0;
    requireThat(
      hasEarned || drawn === 0,
      'NAME_DEPOSIT_USED',
      path,
      () => `it has drawn ${drawn} unet, and earned ${earned} of ${deposit}`,
    );
    const payee = state.get('payout', sponsorId)?.payoutActorId ?? sponsorId;
    return { deposit, hasEarned, holder, sponsorId, payee: isForRevoked ? payee : sponsorId };
  },

  apply({ state, emit }, { actorId }, { deposit, hasEarned, holder, sponsorId, payee }) {
    move(state, classAccount('bonds'), payee, deposit);
    releaseName(state, actorId);
    if (!hasEarned) forgetNamePrice(state, holder);
    emit('NameDepositReturned', { actorId, amount: deposit, sponsorId });
  },
});
