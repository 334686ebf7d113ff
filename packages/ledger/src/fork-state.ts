import { nameOf, RECENT_ROOTS, type Genesis } from '@netd/protocol';
import { chainRecordOf, genesisNames, operatorAuthority, validateGenesis } from './genesis.ts';
import { reserveKey } from './known-keys.ts';
import { reserveName } from './names.ts';
import { earlyMemberOf, policyOf, rulesAt } from './rules.ts';
import { StateOverlay, type StateReader } from './state.ts';

/**
 * @param base the origin's state after the block at which the genesis forks
 * @param validatorIds the validators in the base; they keep their names and keys
 * @throws Error if the genesis does not fork this base
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
  const { version } = rulesAt(state, fork.height);
  const early = earlyMemberOf(genesis.policy, version);
  if (early !== null) throw new Error(`the fork begins with version ${version}: ${early}`);
  state.put('policy', 'limits', policyOf(genesis.policy, version));
  // Write the fork's own block, because the hash of the predecessor draws committees.
  const { height, blockHash, stateRoot } = fork;
  state.put('recent-root', String(height % RECENT_ROOTS), { height, blockHash, stateRoot });
  for (const validatorId of validatorIds) state.delete('validator', validatorId);
  // The validators of a fork don't change, even if those of its origin do.
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
