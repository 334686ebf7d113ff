import { ActorId, Amount, Hash } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { classAccount } from '../../accounting-classes.ts';
import { move, requireBalance } from '../../accounting.ts';
import { defineAction } from '../../action.ts';
import { holdName, requireFreeName } from '../../names.ts';
import { requireThat } from '../../rule-error.ts';
import { namesPolicyOf } from '../../name-price.ts';

export const sponsorName = defineAction({
  name: 'sponsorName',
  since: 2,
  summary: 'Lock the deposit of a name for one key.',
  grant: { AGENT: 'policy' },
  payload: exactly({
    actorId: ActorId,
    publicKeyHash: Hash,
    deposit: Amount,
  }),
  spends: { member: 'deposit', amount: ({ deposit }) => deposit },
  errors: [
    'AGENT_EXISTS',
    'NAME_RESERVED',
    'NAME_TAKEN',
    'NAME_DEPOSIT_MISMATCH',
    'INSUFFICIENT_BALANCE',
  ],
  events: ['NameSponsored'],

  check({ state, policy, rules, authority }, { actorId, deposit }) {
    const path = '/payload/actorId';
    requireThat(!state.get('authority', actorId), 'AGENT_EXISTS', path);
    requireFreeName(state, actorId, { rules, path });
    const asked = namesPolicyOf(policy).deposit;
    requireThat(deposit === asked, 'NAME_DEPOSIT_MISMATCH', '/payload/deposit', () =>
      asked === undefined ? 'this network takes none' : `it is ${asked} unet`,
    );
    requireBalance(state, authority.actorId, deposit, '/payload/deposit');
  },

  apply({ state, authority, emit }, { actorId, publicKeyHash, deposit }) {
    const sponsorId = authority.actorId;
    move(state, sponsorId, classAccount('bonds'), deposit);
    holdName(state, { actorId, deposit, publicKeyHash, sponsorId });
    emit('NameSponsored', { actorId, amount: deposit, publicKeyHash, sponsorId });
  },
});
