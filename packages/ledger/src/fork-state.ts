/**
 * What a laboratory that is a fork changes of the state that it begins with: which chain it is, whose signature certifies its
 * blocks, and whose key its operator has. All else is as it was on its origin.
 */
import { RECENT_ROOTS, type Genesis } from '@netd/protocol';
import { chainRecordOf, genesisNames, operatorAuthority, validateGenesis } from './genesis.ts';
import { reserveKey } from './known-keys.ts';
import { nameOf, reserveName } from './names.ts';
import { StateOverlay, type StateReader } from './state.ts';

/**
 * The pairs that the first block of a fork writes, as canonical JSON, null for a deletion.
 * @param base the state of the origin after the block at which the genesis forks
 * @param validatorIds those that the base names as validators: their records go, their names and keys stay theirs
 * @returns the overlay with what was written
 * @throws Error where the document starts no fork, or the state is not that of its origin
 */
export function forkState(
  genesis: Genesis,
  base: Pick<StateReader, 'get'>,
  validatorIds: readonly string[],
): StateOverlay {
  const fault = validateGenesis(genesis);
  if (fault) throw new Error(`the genesis document is not valid: ${fault}`);
  const { fork } = genesis;
  if (!fork) throw new Error('the genesis document is not that of a fork');
  const state = new StateOverlay({
    get: (key) => base.get(key),
    due: () => [],
    spentNonceExpiry: () => undefined,
  });
  const origin = state.get('chain', 'identity');
  if (origin?.chainId !== fork.chainId || origin.genesisHash !== fork.genesisHash) {
    throw new Error(
      `the state is that of ${origin?.chainId ?? 'no chain'}, not of the chain ${fork.chainId} of which this is a fork`,
    );
  }
  state.put('chain', 'identity', chainRecordOf(genesis));
  state.put('policy', 'limits', genesis.policy);
  // As every block does of its predecessor: who was drawn by the hash of that block still is.
  const { height, blockHash, stateRoot } = fork;
  state.put('recent-root', String(height % RECENT_ROOTS), { height, blockHash, stateRoot });
  for (const validatorId of validatorIds) state.delete('validator', validatorId);
  // It has one validator for good: that of its origin may change.
  if (state.get('validator-term', 'current')) state.delete('validator-term', 'current');
  for (const validator of genesis.validators) {
    state.put('validator', validator.validatorId, validator);
    reserveKey(state, validator.consensusPublicKey, validator.validatorId);
  }
  for (const { actorId, publicKey } of genesis.operators) {
    const before = state.get('authority', actorId);
    const granted = operatorAuthority(actorId, publicKey);
    const roles = [...new Set([...(before?.roles ?? []), ...granted.roles])];
    state.put('authority', actorId, { ...before, ...granted, roles });
    reserveKey(state, publicKey, actorId);
  }
  for (const actorId of genesisNames(genesis)) {
    if (state.get('name', nameOf(actorId)) === undefined) reserveName(state, actorId);
  }
  const before = state.get('operator-roster', 'genesis')?.operatorIds ?? [];
  const operatorIds = [...before, ...genesis.operators.map(({ actorId }) => actorId)];
  state.put('operator-roster', 'genesis', { operatorIds: [...new Set(operatorIds)] });
  return state;
}
