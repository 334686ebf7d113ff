/** What every block of a chain has in common. */
import { genesisValidatorSet } from '@netd/ledger';
import type { Genesis, ValidatorSet } from '@netd/protocol';

export interface ChainIdentity {
  chainId: string;
  epoch: number;
  validatorSet: ValidatorSet;
  proposerId: string;
}

export function identityOf(genesis: Genesis): ChainIdentity {
  const validatorSet = genesisValidatorSet(genesis);
  return {
    chainId: genesis.chainId,
    epoch: genesis.epoch,
    validatorSet,
    proposerId: validatorSet.validators[0]?.validatorId ?? '',
  };
}
