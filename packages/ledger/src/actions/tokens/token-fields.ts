import { ActorId, TOKEN_ID_PATTERN } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';

export const TokenId = Type.String({
  title: 'TokenId',
  pattern: TOKEN_ID_PATTERN,
  description: '"tok-" and 3 to 41 lowercase letters, digits or hyphens, the first no hyphen.',
});

export const TokenAmount = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'In the smallest unit of the token.',
});

const TokenRecipient = Type.String({ ...ActorId, description: 'The actor who receives.' });

export const TokenGrant = exactly({ tokenId: TokenId, to: TokenRecipient, amount: TokenAmount });
