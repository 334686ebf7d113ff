import type { ChainPosition } from '@netd/protocol';

export interface TokenRecord {
  tokenId: string;
  name: string;
  symbol: string;
  decimals: number;
  /** The most that may exist, in the smallest unit, like all amounts of the token. */
  supplyCap: number;
  supply: number;
  /** Actors with a holding above zero. */
  holders: number;
  /** Null once renounced. */
  mintAuthority: string | null;
  creatorId: string;
  createdAt: ChainPosition;
}

/** Deleted when the amount reaches zero. */
export interface TokenHolderRecord {
  tokenId: string;
  actorId: string;
  amount: number;
}
