/** What every block of a chain has in common. */
import { genesisValidatorSet } from '@netd/ledger';
import { firstHeightOf, type Genesis, type ValidatorSet } from '@netd/protocol';

/** The set whose validators certify the block of a height, and which its header names. */
export type ValidatorSetAt = (height: number) => ValidatorSet;

export interface ChainIdentity {
  chainId: string;
  epoch: number;
  /** Of its first block: 0, of a fork that after the block at which it forked. */
  firstHeight: number;
  /** Of the first block, and of every block where the set never changes; what holds at a height is for the chain to say. */
  genesisSet: ValidatorSet;
  /** Whether the set changes by the rules of the ledger. */
  setChanges: boolean;
  proposerId: string;
}

export function identityOf(genesis: Genesis): ChainIdentity {
  const genesisSet = genesisValidatorSet(genesis);
  return {
    chainId: genesis.chainId,
    epoch: genesis.epoch,
    firstHeight: firstHeightOf(genesis),
    genesisSet,
    setChanges: genesis.policy.validatorSet !== undefined,
    proposerId: genesisSet.validators[0]?.validatorId ?? '',
  };
}
