import { genesisValidatorSet } from '@netd/ledger';
import { firstHeightOf, type Genesis, type ValidatorSet } from '@netd/protocol';

/** Returns the set that certifies the block of a height, which its header names. */
export type ValidatorSetAt = (height: number) => ValidatorSet;

export interface ChainIdentity {
  chainId: string;
  epoch: number;
  /** Height of its first block: 0, or for a fork the height after the fork point. */
  firstHeight: number;
  /** The set of the first block, and of every block if the set never changes. */
  genesisSet: ValidatorSet;
  /** True if rules of the ledger change the set. */
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
