import type {
  GenesisFork,
  GenesisPolicy,
  GovernancePolicy,
  ProtectiveDelay,
  StakingPolicy,
  ValidatorSetPolicy,
  WorkPolicy,
} from '@netd/protocol';
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

export interface PolicyRecord {
  faucet: GenesisPolicy['faucet'];
  recoveryDelay: ProtectiveDelay;
  work: WorkPolicy;
  operators: GenesisPolicy['operators'];
  staking: StakingPolicy;
  governance: GovernancePolicy;
  readiness: GenesisPolicy['readiness'];
  /** Absent if the validator set is fixed. */
  validatorSet?: ValidatorSetPolicy;
}

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
