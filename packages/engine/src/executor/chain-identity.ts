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
  /** Certificates are checked by no other way, and none are made by one. */
  validatorSetAt: ValidatorSetAt;
  proposerId: string;
}

export function identityOf(genesis: Genesis): ChainIdentity {
  const validatorSet = genesisValidatorSet(genesis);
  return {
    chainId: genesis.chainId,
    epoch: genesis.epoch,
    firstHeight: firstHeightOf(genesis),
    // One set for all heights: that of genesis.
    validatorSetAt: () => validatorSet,
    proposerId: validatorSet.validators[0]?.validatorId ?? '',
  };
}
