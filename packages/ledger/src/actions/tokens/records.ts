/** What the state holds of custom tokens. */
import type { ChainPosition } from '@netd/protocol';

export interface TokenRecord {
  tokenId: string;
  name: string;
  symbol: string;
  decimals: number;
  /** The most that can be minted; as every amount of the token in its smallest unit. */
  supplyCap: number;
  supply: number;
  /** Actors that hold some of it. */
  holders: number;
  /** Null once minting has been given up. */
  mintAuthority: string | null;
  creatorId: string;
  createdAt: ChainPosition;
}

/** Exists only where the amount is above zero. */
export interface TokenHolderRecord {
  tokenId: string;
  actorId: string;
  amount: number;
}
