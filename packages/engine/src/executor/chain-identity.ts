import { genesisValidatorSet } from '@netd/ledger';
import { firstHeightOf, type Genesis, type ValidatorSet } from '@netd/protocol';

export type ValidatorSetAt = (height: number) => ValidatorSet;

export interface ChainIdentity {
  chainId: string;
  epoch: number;
  firstHeight: number;
  genesisSet: ValidatorSet;
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
