import type { BlockContext, ExecutedBlock } from '@netd/ledger';
import { blockHash, type BlockHeader } from '@netd/protocol';
import type { TreeWrites } from '../store/tree/state-tree.ts';
import type { BlockWrite } from '../store/store.ts';
import type { ChainIdentity } from './chain-identity.ts';

export interface SealedBlock {
  hash: string;
  write: Omit<BlockWrite, 'certificate'>;
}

export function sealBlock(block: {
  identity: ChainIdentity;
  validatorSetHash: string;
  context: BlockContext;
  executed: ExecutedBlock;
  stateRoot: string;
  tree: TreeWrites;
}): SealedBlock {
  const { identity, validatorSetHash, context, executed, stateRoot, tree } = block;
  const { state, transitions, events, transitionSubtrees, eventSubtrees, changes } = executed;
  const header: BlockHeader = {
    schema: 'NET-BLOCK/1',
    chainId: identity.chainId,
    epoch: identity.epoch,
    height: context.height,
    timestamp: context.timestamp,
    previousBlockHash: context.previousBlockHash,
    stateRoot,
    transitionsRoot: executed.transitionsRoot,
    eventsRoot: executed.eventsRoot,
    transitionCount: transitions.length,
    proposerId: identity.proposerId,
    validatorSetHash,
  };
  return {
    hash: blockHash(header),
    write: {
      header,
      transitions,
      events,
      transitionSubtrees,
      eventSubtrees,
      changes,
      before: (key) => state.original(key),
      after: (key) => state.get(key),
      spentNonces: state.spentNonces(),
      tree,
    },
  };
}
