/** Commits blocks that match their headers and are certified. */
import { merkleRoot, sha256Hex, type Genesis } from '@netd/protocol';
import { certificateFault } from '../../chain/certificate-check.ts';
import { type BlockCommitter, BlockNotWrittenError, Chain } from '../../chain/chain.ts';
import type { Clock } from '../../chain/clock.ts';
import { sleep } from '../../chain/sleep.ts';
import { BlockExecutor } from '../../executor/block-executor.ts';
import type { VerifierPool } from '../../mempool/verifier-pool.ts';
import {
  BlockReplay,
  InvalidChainError,
  type PreparedBlock,
  type ReplayedBlock,
  type SourceBlock,
  UntrueEventsError,
} from '../../replay/block-replay.ts';
import type { Store } from '../../store/store.ts';
import { BatchedCommit, MOST_UNCOMMITTED } from './batched-commit.ts';
import { FollowedHistory } from './followed-history.ts';
import type { BlockId } from './historical-block.ts';

const DISK_BACKOFF_MILLISECONDS = 2_000;

export interface FollowProgress {
  height: number;
  target: number;
  transitions: number;
}

export interface BlockOffer {
  target: number;
  /** The first error ends the offer, after the blocks before it are taken. */
  read: (height: number) => Promise<SourceBlock>;
  isOver: () => boolean;
  signal: AbortSignal;
}

export type Verdict =
  | { is: 'lie'; reason: string }
  | { is: 'other-history'; reason: string }
  /** The validators certified a block that does not follow from their own chain. */
  | { is: 'fork'; block: SourceBlock; reason: string };

export interface FollowedChainParts {
  store: Store;
  committer: BlockCommitter;
  genesis: Genesis;
  clock: Clock;
  verifier: VerifierPool;
  trustedBlock: BlockId | undefined;
  onProgress: (progress: FollowProgress) => void;
  onBlockFailure: (error: unknown, height: number) => void;
}

export class FollowedChain {
  readonly chain: Chain;
  readonly executor: BlockExecutor;
  readonly history: FollowedHistory;
  private readonly parts: FollowedChainParts;
  private readonly blocks: BlockReplay;
  private transitions = 0;
  /** Blocks up to this height are written one by one, because some may fit on the disk. */
  private refusedUpTo = -1;

  private constructor(parts: FollowedChainParts, chain: Chain) {
    const { store, verifier } = parts;
    this.parts = parts;
    this.chain = chain;
    this.executor = BlockExecutor.load(chain.identity, store, chain.head, MOST_UNCOMMITTED);
    this.blocks = new BlockReplay({ state: store, verifier });
    this.history = new FollowedHistory({ ...parts, validatorSetAt: chain.validatorSetAt });
  }

  /** @throws StoreError if the store holds another chain, or its tree does not match its head */
  static async open(parts: FollowedChainParts): Promise<FollowedChain> {
    const { store, genesis, committer } = parts;
    const certifyGenesis = (): never => {
      throw new Error('the follower has not been begun');
    };
    return new FollowedChain(
      parts,
      await Chain.open({ store, genesis, committer, certifyGenesis }),
    );
  }

  /**
   * Takes blocks up to the target. Checks run ahead of execution.
   * @returns the verdict on the first wrong block; null if all were taken, or no more can be taken now
   * @throws what `read` throws; any other error means that the follower cannot go on
   */
  async take({ target, read, isOver, signal }: BlockOffer): Promise<Verdict | null> {
    const { chain, executor } = this;
    const { clock } = this.parts;
    const ahead = this.blocks.prepareAhead(chain.height + 1, target, read);
    const behind = new BatchedCommit(clock, (blocks) => this.write(blocks, target));
    try {
      for await (const prepared of ahead) {
        if (isOver()) return null;
        const replayed = await this.replay(prepared);
        if (isOver() || behind.hasRefused) {
          if ('hash' in replayed) executor.discard(replayed.hash);
          return null;
        }
        if (replayed instanceof Error) {
          if (!(await behind.end()) || isOver()) return null;
          if (!(replayed instanceof InvalidChainError)) throw replayed;
          return this.judge(prepared.block, replayed);
        }
        const { height } = prepared;
        if (!this.isTrusted(height, replayed.hash)) {
          executor.discard(replayed.hash);
          return { is: 'lie', reason: `block ${height} is not the trusted one` };
        }
        // Write it alone if it is the last block, or if a batch that contains it failed.
        const isAlone = height === target || height <= this.refusedUpTo;
        if (!(await behind.add(replayed, isAlone))) return null;
      }
      return null;
    } finally {
      const unwritten = isOver() ? behind.drop() : undefined;
      if (unwritten) executor.discard(unwritten.hash);
      if (!(await behind.end())) await sleep(clock, DISK_BACKOFF_MILLISECONDS, signal);
    }
  }

  /** Returns errors, which count only once the predecessors are written. */
  private async replay(prepared: PreparedBlock): Promise<ReplayedBlock | Error> {
    try {
      return await this.blocks.execute(prepared, this.executor);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  private judge(block: SourceBlock, error: InvalidChainError): Verdict {
    const { validatorSetAt, head } = this.chain;
    const reason = `block ${error.height}: ${error.message}`;
    if (error instanceof UntrueEventsError) return { is: 'lie', reason };
    if (block.header.previousBlockHash !== head.blockHash) return { is: 'other-history', reason };
    if (certificateFault(block, validatorSetAt) === null && hasItsTransitions(block)) {
      return { is: 'fork', block, reason: `a certified block is wrong: ${error.message}` };
    }
    return { is: 'lie', reason };
  }

  private isTrusted(height: number, hash: string): boolean {
    const { trustedBlock } = this.parts;
    return trustedBlock?.height !== height || trustedBlock.blockHash === hash;
  }

  private async write(blocks: readonly ReplayedBlock[], target: number): Promise<boolean> {
    const { chain, executor } = this;
    const writes = blocks.map(({ write }) => write);
    try {
      await chain.commitAll(writes, () => {
        for (const { hash } of blocks) executor.commit(hash);
      });
    } catch (error) {
      const [first] = blocks;
      if (first) executor.discard(first.hash);
      if (!first || !(error instanceof BlockNotWrittenError)) throw error;
      const { height } = first.write.header;
      this.refusedUpTo = height + blocks.length - 1;
      this.parts.onBlockFailure(error.cause, height);
      return false;
    }
    for (const { height, transitionCount } of writes.map(({ header }) => header)) {
      this.transitions += transitionCount;
      this.parts.onProgress({ height, target, transitions: this.transitions });
    }
    return true;
  }
}

/** False means that the origin is wrong, not the validators. */
function hasItsTransitions({ header, transitions }: SourceBlock): boolean {
  return (
    transitions.length === header.transitionCount &&
    merkleRoot(transitions.map(sha256Hex)) === header.transitionsRoot
  );
}
