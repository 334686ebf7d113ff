import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireToken } from '../../token-accounting.ts';
import { requireMintAuthority } from './mint-authority.ts';
import { TokenId } from './token-fields.ts';

export const renounceMintAuthority = defineAction({
  name: 'renounceMintAuthority',
  summary: 'Give up minting a token, for good: from then on its supply can only fall.',
  grant: { AGENT: 'policy', HUMAN: 'application' },
  payload: exactly({ tokenId: TokenId }),
  errors: ['TOKEN_UNKNOWN', 'MINT_AUTHORITY_RENOUNCED', 'NOT_MINT_AUTHORITY'],
  events: ['MintAuthorityRenounced'],

  check({ state, authority }, { tokenId }) {
    const token = requireToken(state, tokenId);
    requireMintAuthority(token, authority.actorId);
    return token;
  },

  apply({ state, authority, emit }, { tokenId }, token) {
    state.put('token', tokenId, { ...token, mintAuthority: null });
    emit('MintAuthorityRenounced', { actorId: authority.actorId, tokenId });
  },
});
