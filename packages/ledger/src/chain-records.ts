import type { GenesisFork, GenesisPolicy } from '@netd/protocol';
import type { Capability, Role } from './capability.ts';

export interface ChainRecord {
  chainId: string;
  epoch: number;
  genesisHash: string;
  genesisTime: string;
  open: boolean;
  laboratory?: true;
  /** The chain and block whose state a fork starts from. */
  fork?: GenesisFork;
}

/** Has what the versions of the rules have added so far. */
export type PolicyRecord = GenesisPolicy;

export interface AuthorityRecord {
  actorId: string;
  publicKey: string;
  publicKeyHash: string;
  roles: Role[];
  /** In addition to what the roles carry. */
  capabilities: Capability[];
  active: boolean;
}

export interface RecentRootRecord {
  height: number;
  blockHash: string;
  stateRoot: string;
}

export interface CommitmentRecord {
  transitionsRoot: string;
  eventsRoot: string;
}

export interface SpentNonce {
  hash: string;
  expiry: number;
}
