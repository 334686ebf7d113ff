import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { destroyToken, requireHolding, requireToken } from '../../token-accounting.ts';
import { TokenAmount, TokenId } from './token-fields.ts';

export const burnToken = defineAction({
  name: 'burnToken',
  summary: 'Destroy your units of a token; a mint authority may mint them again.',
  grant: { AGENT: 'policy', HUMAN: 'application' },
  payload: exactly({ tokenId: TokenId, amount: TokenAmount }),
  errors: ['TOKEN_UNKNOWN', 'TOKEN_BALANCE_INSUFFICIENT'],
  events: ['TokenBurned'],

  check({ state, authority }, { tokenId, amount }) {
    requireToken(state, tokenId);
    requireHolding(state, tokenId, authority.actorId, amount);
  },

  apply({ state, authority, emit }, { tokenId, amount }) {
    destroyToken(state, tokenId, authority.actorId, amount);
    emit('TokenBurned', { actorId: authority.actorId, amount, tokenId });
  },
});
