/**
 * The engine of one validator: puts everything that is ready into the next block, certifies it itself, and answers when
 * it is on disk. While one block is being written the next is executed; none is written before its predecessor is
 * durable.
 */
import { RuleError } from '@netd/ledger';
import { timestampToMs, type FinalityCertificate } from '@netd/protocol';
import { BlockNotWrittenError } from '../../chain/chain.ts';
import type { ChainClock } from '../../chain/chain-clock.ts';
import type { Clock } from '../../chain/clock.ts';
import { LabClock } from '../../chain/lab-clock.ts';
import { statementOf, type Signer } from '../../chain/signer.ts';
import type { CandidateBlock } from '../../executor/block-executor.ts';
import type { PendingEnvelope } from '../../mempool/mempool.ts';
import type { BlockWrite, Store } from '../../store/store.ts';
import {
  BATCH_LIMITS,
  ownBlocksStatus,
  type Consensus,
  type ConsensusParts,
  type EngineStatus,
} from '../consensus.ts';
import type { HealthIssue } from '../../health-issue.ts';
import type { Lab } from '../lab.ts';
import { settleExecuted, settleUnavailable, type ExecutedEnvelope } from '../settle.ts';
import { BlockTimer, type BlockTimes } from './block-timer.ts';
import { LabTimer, type ReturningChain } from './lab-timer.ts';

/** What the engine tells of. */
interface SoloEvents {
  /** A block cannot be built or written; nothing of it is in the chain, which goes on. */
  onBlockFailure: (error: unknown, height: number) => void;
  /** The chain cannot go on: nothing is executed, written or accepted any more. */
  onHalt: (error: unknown) => void;
}

/** Where a validator keeps what it has signed last, so that it never signs two blocks of one height. */
export interface SignedBlocks {
  /**
   * A block is on disk, and has not been announced.
   * @throws Error where that cannot be written down
   */
  note(height: number, blockHash: string): void;
  /** Resolves when what was noted last is on disk too; rejects where the disk refuses. */
  settled(): Promise<void>;
  /** No more blocks are made. */
  close(): Promise<void>;
}

export interface SoloOptions extends BlockTimes, SoloEvents {
  /** A LabClock makes a laboratory of it. */
  clock: Clock;
  signer: Signer;
  /** Of a laboratory: what its blocks are taken back from. */
  store?: Store;
  /** Nothing is kept without it. */
  signedBlocks?: SignedBlocks;
}

export interface SoloParts extends ConsensusParts {
  /** Dates blocks. */
  chainClock: ChainClock;
}

/** A block that is executed and certified, and those who wait for it. */
interface CertifiedBlock {
  hash: string;
  write: BlockWrite;
  executed: ExecutedEnvelope[];
}

export class SoloConsensus implements Consensus {
  private readonly parts: SoloParts;
  private readonly options: SoloOptions;
  private readonly timer: BlockTimer;
  readonly lab: (Lab & Pick<LabTimer, 'limits'>) | null;
  private loop: Promise<void> = Promise.resolve();
  /** Done when the newest block that was built is on disk, or never will be. */
  private writing: Promise<void> = Promise.resolve();
  /** The block on which none could be built or written. */
  private failedOn: string | null = null;
  private state: 'running' | 'stopping' | 'halted' = 'running';

  constructor(parts: SoloParts, options: SoloOptions) {
    const { mempool } = parts;
    this.parts = parts;
    this.options = options;
    const { clock } = options;
    const isBusy = (): boolean => mempool.readyCount > 0 || this.hasDueWork();
    const labTimer =
      clock instanceof LabClock ? new LabTimer(clock, options, isBusy, this.returning()) : null;
    this.timer = labTimer ?? new BlockTimer(clock, options, isBusy);
    this.lab = labTimer;
    mempool.onReady = () => this.timer.wake();
  }

  /** Whether something is due by itself: then blocks follow each other until nothing is. */
  private hasDueWork(): boolean {
    const { executor } = this.parts;
    const head = executor.newest;
    // What has failed is tried again with the next envelope or idle block, not in a hurry.
    return head.blockHash !== this.failedOn && executor.hasDueWork(head, this.options.clock.now());
  }

  start(): void {
    this.loop = this.run().catch((error: unknown) => this.halt(error));
  }

  async stop(): Promise<void> {
    if (this.state === 'running') this.state = 'stopping';
    this.parts.mempool.close();
    this.timer.stop();
    await this.loop;
    await this.writing;
    await this.options.signedBlocks?.close();
  }

  /** Blocks come from nowhere else. */
  poll(): void {}

  get status(): EngineStatus {
    const { chain, chainClock } = this.parts;
    const { fault } = chainClock.read(timestampToMs(chain.head.timestamp));
    const warning = chainClock.startWarning();
    const issues: HealthIssue[] = [];
    if (fault !== null) issues.push({ kind: 'clock', text: fault, stopsWrites: true });
    if (warning !== null) issues.push({ kind: 'clock', text: warning });
    return ownBlocksStatus(issues, fault);
  }

  /** How the chain of a laboratory is kept and comes back; called between two blocks. */
  private returning(): ReturningChain {
    const { chain, executor, mempool } = this.parts;
    const { store } = this.options;
    if (!store) throw new Error('a laboratory needs its store');
    return {
      keep: (id) => {
        store.addSavePoint(id);
        return chain.height;
      },
      back: async (id) => {
        // What waits was sent to a chain that is no more.
        const refusal = new RuleError('LAB_REVERTED');
        for (const { settle } of mempool.take({ count: Infinity, bytes: Infinity })) {
          settle({ status: 'refused', refusal, receipt: null });
        }
        await store.backTo(id);
        try {
          const head = chain.tipOnDisk();
          executor.returnTo(head, store);
          this.failedOn = null;
          chain.returnTo(head);
        } catch (error) {
          this.halt(error);
          throw error;
        }
      },
    };
  }

  private async run(): Promise<void> {
    const { mempool } = this.parts;
    for (;;) {
      await this.timer.untilDue();
      if (await this.timer.pauseForErrands(() => this.writing)) continue;
      // Of a crowd the first that is verified would make a block alone, and all others wait for the next one.
      const arriving = mempool.arriving();
      if (arriving) await this.timer.atMostBlockTime(arriving);
      if (this.state !== 'running' && mempool.readyCount === 0) return;
      this.timer.beginBatch();
      const block = this.build(mempool.take(this.lab?.limits ?? BATCH_LIMITS));
      // The predecessor must be durable before this block may be written.
      await this.writing;
      if (block) this.writing = this.write(block).catch((error: unknown) => this.halt(error));
    }
  }

  /** Executes a batch on the newest block. Null where there is no block to write. */
  private build(batch: PendingEnvelope[]): CertifiedBlock | null {
    const parent = this.parts.executor.newest;
    try {
      return this.tryBuild(batch);
    } catch (error) {
      // A broken invariant, or a state tree that does not fit: better no block than a wrong one.
      this.failedOn = parent.blockHash;
      this.timer.blockFailed(error);
      void this.settleFailed(batch, error, parent.height + 1);
      return null;
    }
  }

  private tryBuild(batch: PendingEnvelope[]): CertifiedBlock | null {
    const { chainClock, executor } = this.parts;
    const parent = executor.newest;
    const { time, fault } = chainClock.read(timestampToMs(parent.timestamp));
    if (time === null) {
      this.timer.blockFailed(new Error(fault));
      for (const { settle } of batch) settle({ status: 'unavailable', cause: 'clock' });
      return null;
    }
    const open = executor.open(parent, time);
    const executed: ExecutedEnvelope[] = [];
    for (const pending of batch) {
      try {
        executed.push({ pending, outcome: open.execution.execute(pending.submission) });
      } catch (error) {
        // A rule that fails unexpectedly has left no trace; the others go on.
        pending.settle({ status: 'failed', error });
      }
    }
    const isEmpty = open.execution.transitionCount === 0;
    if (isEmpty && batch.length > 0 && !this.timer.idleBlockIsDue) {
      // Refusals may rest on the block that is being written: they are true once it is durable.
      void this.settleRefusals(executed, parent.blockHash);
      return null;
    }
    const block = executor.seal(open);
    try {
      const write = { ...block.write, certificate: this.certify(block) };
      const { height, timestamp } = block.write.header;
      this.timer.blockMade(height, timestampToMs(timestamp));
      return { hash: block.hash, write, executed };
    } catch (error) {
      executor.discard(block.hash);
      throw error;
    }
  }

  private certify({ write, hash }: CandidateBlock): FinalityCertificate {
    const { header } = write;
    const validatorSet = this.parts.executor.identity.genesisSet;
    return this.options.signer.certify(statementOf(header, hash), validatorSet);
  }

  private async write({ hash, write, executed }: CertifiedBlock): Promise<void> {
    const { chain, executor } = this.parts;
    // Where its predecessor could not be written, it fell together with that.
    if (this.state === 'halted' || !executor.has(hash)) {
      settleUnavailable(executed.map(({ pending }) => pending));
      return;
    }
    const { signedBlocks } = this.options;
    // While this one was executed, the disk had time for it.
    await signedBlocks?.settled();
    try {
      await chain.commit(write, () => {
        signedBlocks?.note(write.header.height, hash);
        executor.commit(hash);
        settleExecuted(executed, write, chain);
      });
      this.timer.blockWritten(write.header.height);
    } catch (error) {
      executor.discard(hash);
      this.failedOn = write.header.previousBlockHash;
      settleUnavailable(executed.map(({ pending }) => pending));
      this.timer.blockFailed(error);
      if (!(error instanceof BlockNotWrittenError)) throw error;
      this.options.onBlockFailure(error.cause, write.header.height);
    }
  }

  /** Blocks of another process can look like damage: what has been read may be theirs. */
  private async settleFailed(
    batch: PendingEnvelope[],
    error: unknown,
    height: number,
  ): Promise<void> {
    await this.writing;
    try {
      this.parts.chain.requireOwnHead();
    } catch (unexpected) {
      settleUnavailable(batch);
      this.halt(unexpected);
      return;
    }
    this.options.onBlockFailure(error, height);
    for (const { settle } of batch) settle({ status: 'failed', error });
  }

  /** @param restingOn hash of the block on whose state they were refused */
  private async settleRefusals(executed: ExecutedEnvelope[], restingOn: string): Promise<void> {
    await this.writing;
    const { chain } = this.parts;
    if (chain.head.blockHash === restingOn) settleExecuted(executed, null, chain);
    else settleUnavailable(executed.map(({ pending }) => pending));
  }

  private halt(error: unknown): void {
    if (this.state === 'halted') return;
    this.state = 'halted';
    const { mempool } = this.parts;
    mempool.close();
    settleUnavailable(mempool.take({ count: Infinity, bytes: Infinity }));
    this.timer.stop();
    this.options.onHalt(error);
  }
}
