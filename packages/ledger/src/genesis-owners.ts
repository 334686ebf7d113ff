/** If the validator set changes, the validators of genesis are bonded candidates with keys of their own. */
import {
  makeValidatorSet,
  publicKeyHash,
  UNET_PER_NET,
  validatePublicKey,
  type Genesis,
  type ValidatorSetPolicy,
} from '@netd/protocol';
import { classAccount } from './accounting-classes.ts';
import { rawKeyHex } from './actions/operators/application.ts';
import type { ValidatorCandidateRecord } from './actions/operators/records.ts';
import { joinRoster } from './actions/operators/validator-roster.ts';
import { count } from './counters.ts';
import type { StateOverlay } from './state.ts';
import { putValidatorSet, votingPowerOf } from './validator-set.ts';

export interface OwnedValidator {
  validatorId: string;
  consensusPublicKey: string;
  ownerPublicKey: string;
  faultDomain: string;
  /** In unet, a multiple of one NET, paid by the treasury. */
  bond: number;
}

/** Terms short enough to watch: a minute of busy blocks, some minutes of idle ones. */
export const DEVNET_VALIDATOR_SET: ValidatorSetPolicy = {
  termHeights: 20,
  maximum: 16,
  downtime: { window: 100, missed: 50, jail: { heights: 20, milliseconds: 60_000 } },
};

export function withChangingSet(
  genesis: Genesis,
  validators: readonly OwnedValidator[],
  rules: ValidatorSetPolicy = DEVNET_VALIDATOR_SET,
): Genesis {
  const bonds = validators.reduce((sum, { bond }) => sum + bond, 0);
  const { policy, accounts, ...rest } = genesis;
  return {
    ...rest,
    accounts: [
      ...accounts.map((account) =>
        account.accountId === classAccount('treasury')
          ? { ...account, balance: account.balance - bonds }
          : account,
      ),
      { accountId: classAccount('bonds'), balance: bonds },
    ],
    validators: validators.map(({ validatorId, consensusPublicKey, faultDomain, bond }) => ({
      validatorId,
      consensusPublicKey,
      votingPower: votingPowerOf(bond),
      faultDomain,
    })),
    owners: validators.map(({ validatorId, ownerPublicKey }) => ({
      validatorId,
      publicKey: ownerPublicKey,
    })),
    policy: { ...policy, validatorSet: rules },
  };
}

export function faultOfOwners({
  owners,
  policy,
  validators,
  operators,
  accounts,
}: Genesis): string | null {
  const rules = policy.validatorSet;
  if (!rules && !owners) return null;
  if (!rules || !owners) return 'owners and policy.validatorSet go together: name both, or neither';
  if (validators.length > rules.maximum) {
    return 'there are more validators than policy.validatorSet.maximum';
  }
  const ids = new Set(owners.map(({ validatorId }) => validatorId));
  const isOwned = validators.every(({ validatorId }) => ids.has(validatorId));
  if (!isOwned || ids.size !== owners.length || owners.length !== validators.length) {
    return 'owners names each validator once, and none besides';
  }
  if (operators.some(({ actorId }) => ids.has(actorId))) {
    return 'an operator cannot be a validator if the set can change: validators need their own bond';
  }
  if (owners.some(({ publicKey }) => validatePublicKey(publicKey) !== null)) {
    return 'an owner has an unusable public key';
  }
  const bonds = validators.reduce((sum, { votingPower }) => sum + votingPower * UNET_PER_NET, 0);
  const held = accounts.find(({ accountId }) => accountId === classAccount('bonds'))?.balance;
  return held === bonds
    ? null
    : `net:bonds holds ${held ?? 0} unet, and the bonds of the validators are ${bonds}`;
}

export function putOwners(state: StateOverlay, genesis: Genesis): void {
  const { owners = [], validators, policy } = genesis;
  if (!policy.validatorSet) return;
  for (const { validatorId, consensusPublicKey, votingPower, faultDomain } of validators) {
    const publicKey = owners.find((owner) => owner.validatorId === validatorId)?.publicKey ?? '';
    state.put('authority', validatorId, {
      active: true,
      actorId: validatorId,
      capabilities: [{ action: 'submitValidatorHeartbeat' }],
      publicKey,
      publicKeyHash: publicKeyHash(publicKey),
      roles: ['VALIDATOR'],
    });
    state.put('key', rawKeyHex(publicKey), { actorId: validatorId });
    const candidate: ValidatorCandidateRecord = {
      active: true,
      actorId: validatorId,
      bondedAtHeight: 0,
      consensusPublicKey,
      delegated: 0,
      delegators: 0,
      faultDomain,
      faults: 0,
      installedAt: { height: 0, index: 0 },
      nextRewardAt: null,
      selfBond: votingPower * UNET_PER_NET,
      shares: 0,
      unbonding: 0,
    };
    state.put('validator-candidate', validatorId, candidate);
    count(state, 'active-validator-candidates', 1);
    joinRoster(state, candidate);
  }
  state.put('validator-term', 'current', { lastHeight: policy.validatorSet.termHeights, set: 0 });
  putValidatorSet(state, {
    number: 0,
    fromHeight: 0,
    validatorSet: makeValidatorSet(genesis.chainId, genesis.epoch, validators),
  });
}
