/** A follower's blocks before its first checkpoint, which are verified but not executed. */
import { blockHash, type BlockHeader, type Genesis } from '@netd/protocol';
import type { ValidatorSetAt } from '../../executor/chain-identity.ts';
import { genesisBlock } from '../../executor/genesis-block.ts';
import type { BlockHistory } from '../../store/history-writes.ts';
import type { Store } from '../../store/store.ts';
import { EMPTY_SOURCE, StateTree } from '../../store/tree/state-tree.ts';
import { historyOf, type BlockId, type WholeBlock } from './historical-block.ts';

export interface FollowedHistoryParts {
  store: Store;
  genesis: Genesis;
  validatorSetAt: ValidatorSetAt;
  trustedBlock: BlockId | undefined;
}

export class FollowedHistory {
  private readonly parts: FollowedHistoryParts;

  constructor(parts: FollowedHistoryParts) {
    this.parts = parts;
  }

  /** Returns the newest missing block; null if the history is complete. */
  missing(): BlockId | null {
    const { store } = this.parts;
    const { from } = store.history();
    if (from === 0) return null;
    const snapshot = store.snapshot();
    try {
      const block = snapshot.blockAt(from);
      return block && before(block);
    } finally {
      snapshot.close();
    }
  }

  /** @throws InvalidChainError if the block's header and validators do not prove it */
  historyOf(block: WholeBlock): BlockHistory {
    return historyOf(block, this.parts.validatorSetAt);
  }

  contradictionIn(header: BlockHeader, expected: BlockId): string | null {
    const { trustedBlock, genesis } = this.parts;
    if (blockHash(header) !== expected.blockHash) {
      return 'two blocks of one height are certified';
    }
    if (trustedBlock?.height === expected.height && trustedBlock.blockHash !== expected.blockHash) {
      return 'it is not the block that is trusted';
    }
    if (expected.height > 0) return null;
    const { hash } = genesisBlock(genesis, new StateTree(EMPTY_SOURCE));
    return hash === expected.blockHash ? null : 'block 0 does not follow from the genesis document';
  }

  async keep(blocks: readonly BlockHistory[], from: number, source?: string): Promise<void> {
    const { store } = this.parts;
    await store.commitHistory(blocks, { from, source: source ?? store.history().source });
  }
}

export const before = ({ header }: Pick<BlockHistory, 'header'>): BlockId | null =>
  header.height === 0 ? null : { height: header.height - 1, blockHash: header.previousBlockHash };
