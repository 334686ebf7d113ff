/** Block 0: the state of the genesis document, without a transition. */
import { genesisState, StateOverlay, type ExecutedBlock, type StateReader } from '@netd/ledger';
import { GENESIS_PREVIOUS_HASH, merkleRoot, timestampToMs, type Genesis } from '@netd/protocol';
import type { StateTree } from '../store/tree/state-tree.ts';
import { identityOf } from './chain-identity.ts';
import { sealBlock, type SealedBlock } from './seal-block.ts';

/** Of no block: what genesis is written over. */
export const emptyState: StateReader = {
  get: () => undefined,
  due: () => [],
  spentNonceExpiry: () => undefined,
};

/** @param tree one without a block; it holds the state of block 0 afterwards */
export function genesisBlock(genesis: Genesis, tree: StateTree): SealedBlock {
  const changes = genesisState(genesis);
  const executed: ExecutedBlock = {
    changes,
    state: new StateOverlay(emptyState),
    transitions: [],
    events: [],
    transitionsRoot: merkleRoot([]),
    eventsRoot: merkleRoot([]),
    transitionSubtrees: [],
    eventSubtrees: [],
  };
  const writes = tree.update(changes, 0);
  const identity = identityOf(genesis);
  const { hash, write } = sealBlock({
    identity,
    validatorSetHash: identity.genesisSet.validatorSetHash,
    context: {
      height: 0,
      time: timestampToMs(genesis.genesisTime),
      timestamp: genesis.genesisTime,
      previousBlockHash: GENESIS_PREVIOUS_HASH,
    },
    executed,
    stateRoot: tree.root,
    tree: writes,
  });
  const after = (key: string): unknown => JSON.parse(changes.get(key) ?? 'null');
  return { hash, write: { ...write, after } };
}
