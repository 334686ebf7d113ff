/**
 * The changing validator set: one vote per NET of stake, drawn again after each term. The set of a height is
 * known once the block before it is executed.
 */
import {
  cometbftAddress,
  makeValidatorSet,
  rawKeyFromPem,
  UNET_PER_NET,
  type ValidatorSet,
  type ValidatorSetPolicy,
} from '@netd/protocol';
import { validatorRoster } from './actions/operators/validator-roster.ts';
import type { ChainRecord } from './chain-records.ts';
import type { ReadableState, WritableState } from './state.ts';

/**
 * Returns the set that certifies a height; null if the set of genesis certifies every block.
 * @param height at most one above the state's
 */
export function validatorSetAt(state: ReadableState, height: number): ValidatorSet | null {
  const term = state.get('validator-term', 'current');
  if (!term) return null;
  const recordOf = (number: number) => {
    const record = state.get('validator-set', String(number));
    if (!record) throw new Error(`there is no validator set ${number}`);
    return record;
  };
  const newest = recordOf(term.set);
  if (newest.fromHeight <= height) return newest.validatorSet;
  // `low` began at or before the height, `high` after it.
  let low = 0;
  let high = term.set;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (recordOf(middle).fromHeight <= height) low = middle;
    else high = middle;
  }
  return recordOf(low).validatorSet;
}

/**
 * Takes the candidates with the most stake, the longest bonded among equals. Returns null if there are none:
 * the old set stays, because a chain without validators would end.
 */
export function drawValidatorSet(
  state: ReadableState,
  { chainId, epoch }: ChainRecord,
  { maximum }: ValidatorSetPolicy,
): ValidatorSet | null {
  const candidates = validatorRoster(state).flatMap((validatorId) => {
    const candidate = state.get('validator-candidate', validatorId);
    if (!candidate) throw new Error(`the roster names ${validatorId}, which is no candidate`);
    if (state.get('validator-liveness', validatorId)?.jailedUntil) return [];
    const { selfBond, delegated, consensusPublicKey, faultDomain } = candidate;
    const votingPower = votingPowerOf(selfBond + delegated);
    if (votingPower === 0) return [];
    return [{ validatorId, consensusPublicKey, votingPower, faultDomain }];
  });
  const drawn = candidates.toSorted((a, b) => b.votingPower - a.votingPower).slice(0, maximum);
  return drawn.length === 0 ? null : makeValidatorSet(chainId, epoch, drawn);
}

export const votingPowerOf = (stake: number): number => Math.floor(stake / UNET_PER_NET);

export function putValidatorSet(
  state: WritableState,
  {
    number,
    fromHeight,
    validatorSet,
  }: { number: number; fromHeight: number; validatorSet: ValidatorSet },
): void {
  state.put('validator-set', String(number), {
    fromHeight,
    number,
    validatorSet: inOrder(validatorSet),
  });
  for (const { validatorId, consensusPublicKey } of validatorSet.validators) {
    const raw = rawKeyFromPem(consensusPublicKey);
    if (!raw) throw new Error(`the consensus key of ${validatorId} cannot be read`);
    const address = cometbftAddress(raw);
    if (!state.get('validator-address', address)) {
      state.put('validator-address', address, { validatorId });
    }
  }
}

/** Sorts the members as canonical JSON does. */
function inOrder(set: ValidatorSet): ValidatorSet {
  return {
    chainId: set.chainId,
    epoch: set.epoch,
    quorum: set.quorum,
    schema: set.schema,
    totalVotingPower: set.totalVotingPower,
    validatorSetHash: set.validatorSetHash,
    validators: set.validators.map((each) => ({
      consensusPublicKey: each.consensusPublicKey,
      faultDomain: each.faultDomain,
      validatorId: each.validatorId,
      votingPower: each.votingPower,
    })),
  };
}
