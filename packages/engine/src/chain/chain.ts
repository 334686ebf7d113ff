/**
 * The chain as it is on disk: its head, and the one way a block becomes part of it. Which block that is, is for a
 * consensus to say; where that works on a thread of its own, every other thread sees the head that it reports.
 */
import {
  genesisHash,
  type BlockHeader,
  type FinalityCertificate,
  type Genesis,
  type Receipt,
  type ValidatorSet,
} from '@netd/protocol';
import { identityOf, type ChainIdentity } from '../executor/chain-identity.ts';
import { forkBlock, genesisBlock } from '../executor/genesis-block.ts';
import { tipOf, type Tip } from '../executor/tip.ts';
import { forkBaseOf } from '../store/fork-base.ts';
import { StateTree } from '../store/tree/state-tree.ts';
import { StoreError } from '../store/store-error.ts';
import type { BlockWrite, Store } from '../store/store.ts';

/** Writes blocks that follow each other: all of them or none, on disk when the promise resolves. */
export interface BlockCommitter {
  commitBlocks(blocks: readonly BlockWrite[]): Promise<void>;
}

/** The certificate of the first block, which has no proposer. */
export type CertifyGenesis = (
  header: BlockHeader,
  hash: string,
) => FinalityCertificate | Promise<FinalityCertificate>;

export type BlockListener = (height: number, transitionCount: number) => void;

/** The disk refused a block, for the reason in `cause`; nothing of it is in the chain. */
export class BlockNotWrittenError extends Error {
  override name = 'BlockNotWrittenError';
}

/** The database is not where this process left it: to go on would overwrite another's blocks. */
export class UnexpectedHeadError extends Error {
  override name = 'UnexpectedHeadError';

  constructor(expected: Tip, found: Tip) {
    super(
      `the database stands at block ${found.height} (${found.blockHash}), this node left it at block ` +
        `${expected.height} (${expected.blockHash}): another process writes to it`,
    );
  }
}

/** The chain as all see it, whichever engine makes its blocks: its head, and what has been committed. */
export class ChainHead {
  readonly identity: ChainIdentity;
  protected readonly store: Store;
  protected tip: Tip;
  private readonly listeners = new Set<BlockListener>();
  private readonly returnListeners = new Set<() => void>();

  /** @param store holds a chain with this genesis document */
  constructor(store: Store, genesis: Genesis) {
    this.store = store;
    this.identity = identityOf(genesis);
    this.tip = this.tipOnDisk();
  }

  /** The last committed block: durable and certified. */
  get head(): Tip {
    return this.tip;
  }

  get height(): number {
    return this.tip.height;
  }

  /** The validators that certify the block of a height, up to the one after the head. */
  readonly validatorSetAt = (height: number): ValidatorSet => {
    const { genesisSet, setChanges } = this.identity;
    if (!setChanges) return genesisSet;
    const snapshot = this.store.snapshot();
    try {
      return snapshot.validatorSetAt(height);
    } finally {
      snapshot.close();
    }
  };

  /** Calls back after every block that was committed, once those who waited for it have been answered. */
  onBlock(listener: BlockListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls back when blocks were taken back, as only a laboratory does: what was kept of them is no more. */
  onReturn(listener: () => void): () => void {
    this.returnListeners.add(listener);
    return () => this.returnListeners.delete(listener);
  }

  /** The receipt of a committed transition, or null. */
  receipt(transitionHash: string): Receipt | null {
    if (!this.store.hasTransition(transitionHash)) return null;
    const snapshot = this.store.snapshot();
    try {
      return snapshot.receipt(transitionHash);
    } finally {
      snapshot.close();
    }
  }

  /** There is a new head, and it is on disk. Those who wait for this very block are answered next, before listeners hear of it. */
  moveTo(head: Tip): void {
    this.tip = head;
  }

  /** Blocks were taken back, and the store is at this head; tells those who listen. */
  returnTo(head: Tip): void {
    this.tip = head;
    for (const listener of this.returnListeners) listener();
  }

  /** Tells those who listen of a block. */
  notifyListeners(height: number, transitionCount: number): void {
    for (const listener of this.listeners) listener(height, transitionCount);
  }

  /** The head that the store has. */
  tipOnDisk(): Tip {
    const snapshot = this.store.snapshot();
    try {
      return tipOf(snapshot.block.header);
    } finally {
      snapshot.close();
    }
  }
}

export class Chain extends ChainHead {
  private readonly committer: BlockCommitter;

  private constructor(store: Store, committer: BlockCommitter, genesis: Genesis) {
    super(store, genesis);
    this.committer = committer;
  }

  /**
   * Opens the chain in the store, or starts it from the genesis document where the store is empty, or holds no more than
   * the state that a fork begins with.
   * @throws StoreError where the store holds another chain
   */
  static async open(parts: {
    store: Store;
    genesis: Genesis;
    certifyGenesis: CertifyGenesis;
    committer: BlockCommitter;
  }): Promise<Chain> {
    const { store, genesis, certifyGenesis, committer } = parts;
    const known = store.genesis();
    if (!known) {
      const { hash, write } = genesis.fork
        ? forkBlock(genesis, new StateTree(store), forkBaseOf(store))
        : genesisBlock(genesis, new StateTree(store));
      const certificate = await certifyGenesis(write.header, hash);
      await store.initialise(genesis, { ...write, certificate });
    } else if (genesisHash(known) !== genesisHash(genesis)) {
      const other =
        known.chainId === genesis.chainId
          ? `another ${known.chainId}`
          : `the chain ${known.chainId}`;
      throw new StoreError(
        `the database holds ${other}, not the chain of this genesis document: put the genesis.json back that belongs to it, or choose another --data-dir`,
      );
    }
    return new Chain(store, committer, known ?? genesis);
  }

  /**
   * Makes a block durable, then the head.
   * @param answer called as soon as it is: for those who wait for this very block, before others hear of it
   * @throws BlockNotWrittenError where the disk refuses it; UnexpectedHeadError where the database has moved by itself
   */
  async commit(block: BlockWrite, answer: () => void): Promise<void> {
    await this.commitAll([block], answer);
  }

  /**
   * The same for blocks that follow each other, all at once: readers see the head before them or the last of them.
   * @throws as commit; none of them is in the chain then
   */
  async commitAll(blocks: readonly BlockWrite[], answer: () => void): Promise<void> {
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (!first || !last) return;
    this.requireHead(first.header.previousBlockHash);
    const head = tipOf(last.header);
    try {
      await this.committer.commitBlocks(blocks);
    } catch (cause) {
      // A disk may fail after the transaction went through: the database itself says what is true.
      if (this.tipOnDisk().blockHash !== head.blockHash) {
        this.requireHead(first.header.previousBlockHash);
        throw new BlockNotWrittenError('the disk refused a block', { cause });
      }
    }
    this.moveTo(head);
    answer();
    for (const { header } of blocks) this.notifyListeners(header.height, header.transitionCount);
  }

  /**
   * One data directory, one process: another's block must stop this one before it writes over it. Not to be asked
   * while a block is being written.
   * @throws UnexpectedHeadError where the database has moved by itself
   */
  requireOwnHead(): void {
    const found = this.tipOnDisk();
    if (found.blockHash !== this.tip.blockHash) throw new UnexpectedHeadError(this.tip, found);
  }

  private requireHead(previousBlockHash: string): void {
    this.requireOwnHead();
    if (this.tip.blockHash !== previousBlockHash) {
      throw new Error(`a block does not follow the head, block ${this.tip.height}`);
    }
  }
}
