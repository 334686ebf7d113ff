import { requireRecipient } from '../../accounting.ts';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import { moveToken, requireHolding, requireToken } from '../../token-accounting.ts';
import { TokenGrant } from './token-fields.ts';

export const transferToken = defineAction({
  name: 'transferToken',
  summary: 'Send units of a token to another registered actor.',
  grant: { AGENT: 'policy', HUMAN: 'application' },
  payload: TokenGrant,
  errors: [
    'TOKEN_UNKNOWN',
    'RECIPIENT_IS_SENDER',
    'RECIPIENT_UNKNOWN',
    'AGENT_RETIRED',
    'AUTHORITY_REVOKED',
    'TOKEN_BALANCE_INSUFFICIENT',
  ],
  events: ['TokenTransferred'],

  check({ state, authority }, { tokenId, to, amount }) {
    requireToken(state, tokenId);
    requireThat(to !== authority.actorId, 'RECIPIENT_IS_SENDER', '/payload/to');
    requireRecipient(state, to);
    requireHolding(state, tokenId, authority.actorId, amount);
  },

  apply({ state, authority, emit }, { tokenId, to, amount }) {
    moveToken(state, tokenId, { from: authority.actorId, to, amount });
    emit('TokenTransferred', {
      amount,
      fromActorId: authority.actorId,
      toActorId: to,
      tokenId,
    });
  },
});
