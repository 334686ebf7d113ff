import { ActorId, Hash, PublicKeyPem, type GenesisFork, type GenesisPolicy } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import { Capability, type Role } from './capability.ts';

export interface ChainRecord {
  chainId: string;
  epoch: number;
  genesisHash: string;
  genesisTime: string;
  open: boolean;
  laboratory?: true;
  /** Chain and block whose state a fork starts from. */
  fork?: GenesisFork;
}

/** The policy, with the members that versions of the rules have added so far. */
export type PolicyRecord = GenesisPolicy;

export const AuthorityRecord = exactly({
  actorId: ActorId,
  publicKey: PublicKeyPem,
  publicKeyHash: Hash,
  roles: Type.Unsafe<Role[]>(Type.Array(Type.String())),
  // Capabilities in addition to those of the roles.
  capabilities: Type.Array(Capability),
  active: Type.Boolean(),
});
export type AuthorityRecord = Static<typeof AuthorityRecord>;

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
