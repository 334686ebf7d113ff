import { ActorId, ChainPosition } from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';
import { TokenId } from './token-fields.ts';

/** In the smallest unit of the token. */
const Units = Type.Integer({ maximum: Number.MAX_SAFE_INTEGER });

export const TokenRecord = exactly(
  {
    tokenId: TokenId,
    name: Type.String(),
    symbol: Type.String(),
    decimals: Type.Integer(),
    supplyCap: Units,
    supply: Units,
    holders: Type.Integer(),
    // Null once renounced.
    mintAuthority: orNull(ActorId),
    creatorId: ActorId,
    createdAt: ChainPosition,
  },
  { title: 'CustomToken' },
);
export type TokenRecord = Static<typeof TokenRecord>;

/** A holding, deleted when its amount reaches zero. */
export const TokenHolderRecord = exactly({ tokenId: TokenId, actorId: ActorId, amount: Units });
export type TokenHolderRecord = Static<typeof TokenHolderRecord>;
