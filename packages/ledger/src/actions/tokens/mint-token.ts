import { requireRecipient } from '../../accounting.ts';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import { issueToken, requireToken } from '../../token-accounting.ts';
import { requireMintAuthority } from './mint-authority.ts';
import { TokenGrant } from './token-fields.ts';

export const mintToken = defineAction({
  name: 'mintToken',
  summary: 'Create further units of a token as its mint authority, up to the cap.',
  grant: { AGENT: 'policy', HUMAN: 'application' },
  payload: TokenGrant,
  errors: [
    'TOKEN_UNKNOWN',
    'MINT_AUTHORITY_RENOUNCED',
    'NOT_MINT_AUTHORITY',
    'RECIPIENT_UNKNOWN',
    'AGENT_RETIRED',
    'AUTHORITY_REVOKED',
    'TOKEN_CAP_EXCEEDED',
  ],
  events: ['TokenMinted'],

  check({ state, authority }, { tokenId, to, amount }) {
    const token = requireToken(state, tokenId);
    requireMintAuthority(token, authority.actorId);
    requireRecipient(state, to);
    // Don't compute supply + amount, which may exceed the safe integers.
    const room = token.supplyCap - token.supply;
    requireThat(
      amount <= room,
      'TOKEN_CAP_EXCEEDED',
      '/payload/amount',
      () => `${room} are left under the cap`,
    );
  },

  apply({ state, authority, emit }, { tokenId, to, amount }) {
    issueToken(state, tokenId, to, amount);
    emit('TokenMinted', { actorId: authority.actorId, amount, toActorId: to, tokenId });
  },
});
