import { ActorId, Amount } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { move, requireBalance, requireRecipient } from '../../accounting.ts';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';

export const transfer = defineAction({
  name: 'transfer',
  summary: 'Send NET from your account to another registered actor.',
  grant: { AGENT: 'policy', HUMAN: 'application' },
  payload: exactly({
    to: Type.String({ ...ActorId, description: 'The actor who receives.' }),
    amount: Amount,
    memo: Type.Optional(Type.String({ maxLength: 280, description: 'Public, kept in the chain.' })),
  }),
  spends: { member: 'amount', amount: ({ amount }) => amount },
  errors: [
    'RECIPIENT_IS_SENDER',
    'RECIPIENT_UNKNOWN',
    'AGENT_RETIRED',
    'AUTHORITY_REVOKED',
    'INSUFFICIENT_BALANCE',
  ],
  events: ['Transferred'],

  check({ state, authority }, { to, amount }) {
    requireThat(to !== authority.actorId, 'RECIPIENT_IS_SENDER', '/payload/to');
    requireRecipient(state, to);
    requireBalance(state, authority.actorId, amount);
  },

  apply({ state, authority, emit }, { to, amount, memo }) {
    move(state, authority.actorId, to, amount);
    emit('Transferred', {
      amount,
      fromActorId: authority.actorId,
      memo: memo ?? null,
      toActorId: to,
    });
  },
});
