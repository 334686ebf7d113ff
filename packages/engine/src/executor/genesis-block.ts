import {
  forkState,
  genesisState,
  StateOverlay,
  type ExecutedBlock,
  type StateReader,
} from '@netd/ledger';
import {
  firstHeightOf,
  GENESIS_PREVIOUS_HASH,
  merkleRoot,
  timestampToMs,
  type Genesis,
} from '@netd/protocol';
import type { ForkBase } from '../store/fork-base.ts';
import type { StateTree } from '../store/tree/state-tree.ts';
import { identityOf } from './chain-identity.ts';
import { sealBlock, type SealedBlock } from './seal-block.ts';

export const emptyState: StateReader = {
  get: () => undefined,
  due: () => [],
  spentNonceExpiry: () => undefined,
};

/** @param tree empty; afterwards it holds the state of block 0 */
export function genesisBlock(genesis: Genesis, tree: StateTree): SealedBlock {
  const changes = genesisState(genesis);
  const { hash, write } = firstBlock(genesis, tree, {
    changes,
    state: new StateOverlay(emptyState),
  });
  const after = (key: string): unknown => JSON.parse(changes.get(key) ?? 'null');
  return { hash, write: { ...write, after } };
}

/**
 * @param tree without a block; afterwards it holds the state of the fork's first block
 * @throws StoreError if the tree does not match the forked state; Error if the state is another one
 */
export function forkBlock(genesis: Genesis, tree: StateTree, base: ForkBase): SealedBlock {
  if (!genesis.fork) throw new Error('the genesis document is not that of a fork');
  tree.open(genesis.fork);
  const state = forkState(genesis, base, base.validatorIds());
  return firstBlock(genesis, tree, { changes: state.changes(), state });
}

function firstBlock(
  genesis: Genesis,
  tree: StateTree,
  { changes, state }: Pick<ExecutedBlock, 'changes' | 'state'>,
): SealedBlock {
  const executed: ExecutedBlock = {
    changes,
    state,
    transitions: [],
    events: [],
    transitionsRoot: merkleRoot([]),
    eventsRoot: merkleRoot([]),
    transitionSubtrees: [],
    eventSubtrees: [],
  };
  const height = firstHeightOf(genesis);
  const writes = tree.update(changes, height);
  const identity = identityOf(genesis);
  return sealBlock({
    identity,
    validatorSetHash: identity.genesisSet.validatorSetHash,
    context: {
      height,
      time: timestampToMs(genesis.genesisTime),
      timestamp: genesis.genesisTime,
      previousBlockHash: genesis.fork?.blockHash ?? GENESIS_PREVIOUS_HASH,
    },
    executed,
    stateRoot: tree.root,
    tree: writes,
  });
}
