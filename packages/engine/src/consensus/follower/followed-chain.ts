/**
 * The chain of a follower: replays each block that an origin offers through the executor, and commits it if the outcome is what the
 * header says and the validators certified. Of a wrong block the caller gets a verdict, and acts on it. Certifies nothing itself.
 */
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

/** How long it waits after a block that could not be written. */
const DISK_BACKOFF_MILLISECONDS = 2_000;

/** How far a follower is, whenever that changes. */
export interface FollowProgress {
  height: number;
  /** The height that its origins have, as they say. */
  target: number;
  /** Transitions since the start. */
  transitions: number;
}

/** Blocks that one origin has. */
export interface BlockOffer {
  /** The last height that it says it has. */
  target: number;
  /** Fetches a block; the first error ends the offer, once the blocks before it have had their turn. */
  read: (height: number) => Promise<SourceBlock>;
  /** Whether nothing more is to be committed. */
  isOver: () => boolean;
  /** Ends a pause. */
  signal: AbortSignal;
}

/** Why a block is not what follows from this chain. */
export type Verdict =
  /** The origin lies. */
  | { is: 'lie'; reason: string }
  /** It stands on another block than our head: the histories have to be compared. */
  | { is: 'other-history'; reason: string }
  /** The validators have certified what does not follow from their own chain. */
  | { is: 'fork'; block: SourceBlock; reason: string };

export interface FollowedChainParts {
  store: Store;
  committer: BlockCommitter;
  genesis: Genesis;
  clock: Clock;
  verifier: VerifierPool;
  /** A block that the chain must have. */
  trustedBlock: BlockId | undefined;
  onProgress: (progress: FollowProgress) => void;
  /** A block cannot be written; nothing of it is in the chain, which goes on. */
  onBlockFailure: (error: unknown, height: number) => void;
}

export class FollowedChain {
  readonly chain: Chain;
  readonly executor: BlockExecutor;
  readonly history: FollowedHistory;
  private readonly parts: FollowedChainParts;
  private readonly blocks: BlockReplay;
  private transitions = 0;
  /** The last height of the blocks that the disk refused together: there may be room for some of them. */
  private refusedUpTo = -1;

  private constructor(parts: FollowedChainParts, chain: Chain) {
    const { store, verifier } = parts;
    this.parts = parts;
    this.chain = chain;
    this.executor = BlockExecutor.load(chain.identity, store, chain.head, MOST_UNCOMMITTED);
    this.blocks = new BlockReplay({ state: store, verifier });
    this.history = new FollowedHistory({ ...parts, validatorSetAt: chain.validatorSetAt });
  }

  /** @throws StoreError where the store holds no such chain, or its tree does not match its head */
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
   * Takes blocks, up to the target: checks run ahead, each is executed in its turn while its predecessors go to the disk.
   * @returns what is wrong with the first that is wrong; null where all are here, or no more can be taken for now
   * @throws what `read` throws; else only where the follower cannot go on
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
          // Where a predecessor was not written, whatever came out says nothing.
          if (!(await behind.end()) || isOver()) return null;
          if (!(replayed instanceof InvalidChainError)) throw replayed;
          return this.judge(prepared.block, replayed);
        }
        const { height } = prepared;
        if (!this.isTrusted(height, replayed.hash)) {
          executor.discard(replayed.hash);
          return { is: 'lie', reason: `block ${height} is not the one that is trusted` };
        }
        // Without those after it where there is none, or where the disk has refused it together with others.
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

  /** The replayed block, or its error, which counts only once its predecessor is written. */
  private async replay(prepared: PreparedBlock): Promise<ReplayedBlock | Error> {
    try {
      return await this.blocks.execute(prepared, this.executor);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Decides about a block that does not follow from our chain: its origin lies, has another history, or the validators forked. */
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

  /** Whether the operator trusts no other block of this height. */
  private isTrusted(height: number, hash: string): boolean {
    const { trustedBlock } = this.parts;
    return trustedBlock?.height !== height || trustedBlock.blockHash === hash;
  }

  /** @returns whether they are on disk; what stands on them has fallen with them otherwise */
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

/** Whether the transitions are those that the header commits to: only then the validators are wrong, and not the origin. */
function hasItsTransitions({ header, transitions }: SourceBlock): boolean {
  return (
    transitions.length === header.transitionCount &&
    merkleRoot(transitions.map(sha256Hex)) === header.transitionsRoot
  );
}
