import type { ChainPosition } from '@netd/protocol';

export interface TokenRecord {
  tokenId: string;
  name: string;
  symbol: string;
  decimals: number;
  /** In the smallest unit, like all amounts of the token. */
  supplyCap: number;
  supply: number;
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
