/** What the state holds of the chain itself and of who may act on it. */
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
  /** Only where the genesis says so. */
  laboratory?: true;
  /** Only of a laboratory that is a fork: the chain and the block with whose state it began. */
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
  /** Only where the set of validators changes. */
  validatorSet?: ValidatorSetPolicy;
}

/** The keys and capabilities of an actor: who may sign for it, and what for. */
export interface AuthorityRecord {
  actorId: string;
  publicKey: string;
  publicKeyHash: string;
  roles: Role[];
  /** Beyond what the roles carry by themselves. */
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
