/** The chain on disk. If consensus runs in its own thread, other threads see the head that it reports. */
import { requireKnownRules } from '@netd/ledger';
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

/** Commits all blocks or none; they are on disk when the promise resolves. */
export interface BlockCommitter {
  commitBlocks(blocks: readonly BlockWrite[]): Promise<void>;
}

export type CertifyGenesis = (
  header: BlockHeader,
  hash: string,
) => FinalityCertificate | Promise<FinalityCertificate>;

export type BlockListener = (height: number, transitionCount: number) => void;

export class BlockNotWrittenError extends Error {
  override name = 'BlockNotWrittenError';
}

/** Thrown if another process wrote to the database. */
export class UnexpectedHeadError extends Error {
  override name = 'UnexpectedHeadError';

  constructor(expected: Tip, found: Tip) {
    super(
      `the database stands at block ${found.height} (${found.blockHash}), this node left it at block ` +
        `${expected.height} (${expected.blockHash}): another process writes to it`,
    );
  }
}

export class ChainHead {
  readonly identity: ChainIdentity;
  protected readonly store: Store;
  protected tip: Tip;
  private readonly listeners = new Set<BlockListener>();
  private readonly returnListeners = new Set<() => void>();

  /** @throws UnknownRulesError if a newer version of netd executed the store's head */
  constructor(store: Store, genesis: Genesis) {
    this.store = store;
    this.identity = identityOf(genesis);
    this.tip = this.tipOnDisk();
    this.requireRulesOfHead();
  }

  get head(): Tip {
    return this.tip;
  }

  get height(): number {
    return this.tip.height;
  }

  /** Valid up to the block after the head. */
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

  onBlock(listener: BlockListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls the listener when a laboratory takes blocks back. */
  onReturn(listener: () => void): () => void {
    this.returnListeners.add(listener);
    return () => this.returnListeners.delete(listener);
  }

  receipt(transitionHash: string): Receipt | null {
    if (!this.store.hasTransition(transitionHash)) return null;
    const snapshot = this.store.snapshot();
    try {
      return snapshot.receipt(transitionHash);
    } finally {
      snapshot.close();
    }
  }

  /** Call it with a durable head, before senders get their answers and before `notifyListeners`. */
  moveTo(head: Tip): void {
    this.tip = head;
  }

  /** Call it after the store has reverted blocks. */
  returnTo(head: Tip): void {
    this.tip = head;
    for (const listener of this.returnListeners) listener();
  }

  notifyListeners(height: number, transitionCount: number): void {
    for (const listener of this.listeners) listener(height, transitionCount);
  }

  private requireRulesOfHead(): void {
    const snapshot = this.store.snapshot();
    try {
      requireKnownRules(snapshot, snapshot.height);
    } finally {
      snapshot.close();
    }
  }

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
   * Starts the chain from genesis if the store has no block.
   * @throws StoreError if the store holds another chain
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
   * @param answer called once the block is durable, before the listeners
   * @throws BlockNotWrittenError if the disk refuses it; UnexpectedHeadError if another process wrote to the
   * database
   */
  async commit(block: BlockWrite, answer: () => void): Promise<void> {
    await this.commitAll([block], answer);
  }

  async commitAll(blocks: readonly BlockWrite[], answer: () => void): Promise<void> {
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (!first || !last) return;
    this.requireHead(first.header.previousBlockHash);
    const head = tipOf(last.header);
    try {
      await this.committer.commitBlocks(blocks);
    } catch (cause) {
      // A disk may fail after the transaction went through, so ask the database.
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
   * Must not be called during a write.
   * @throws UnexpectedHeadError if another process wrote to the database
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
