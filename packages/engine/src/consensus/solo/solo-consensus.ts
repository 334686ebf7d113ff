/** Executes a block while its predecessor is being written, but writes none before its predecessor is durable. */
import { RuleError, UnknownRulesError } from '@netd/ledger';
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

interface SoloEvents {
  onBlockFailure: (error: unknown, height: number) => void;
  onHalt: (error: unknown) => void;
}

export interface SignedBlocks {
  /**
   * Call it when a block is on disk and not yet announced.
   * @throws Error if the record cannot be written
   */
  note(height: number, blockHash: string): void;
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface SoloOptions extends BlockTimes, SoloEvents {
  clock: Clock;
  signer: Signer;
  store?: Store;
  /** If undefined, signatures are not recorded. */
  signedBlocks?: SignedBlocks;
}

export interface SoloParts extends ConsensusParts {
  chainClock: ChainClock;
}

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
  private writing: Promise<void> = Promise.resolve();
  /** Hash of the block whose successor could not be built or written. */
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

  private hasDueWork(): boolean {
    const { executor } = this.parts;
    const head = executor.newest;
    // A failed block is retried with the next envelope or idle block.
    return head.blockHash !== this.failedOn && executor.hasDueWork(head, this.options.clock.now());
  }

  start(): void {
    this.loop = this.run().catch(async (error: unknown) => {
      await this.writing;
      this.halt(error);
    });
  }

  async stop(): Promise<void> {
    if (this.state === 'running') this.state = 'stopping';
    this.parts.mempool.close();
    this.timer.stop();
    await this.loop;
    await this.writing;
    await this.options.signedBlocks?.close();
  }

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
      // Wait for a burst to be verified, so that its envelopes share a block.
      const arriving = mempool.arriving();
      if (arriving) await this.timer.atMostBlockTime(arriving);
      if (this.state !== 'running' && mempool.readyCount === 0) return;
      this.timer.beginBatch();
      const block = this.build(mempool.take(this.lab?.limits ?? BATCH_LIMITS));
      await this.writing;
      if (block) this.writing = this.write(block).catch((error: unknown) => this.halt(error));
    }
  }

  /**
   * Returns null if there is no block to write.
   * @throws UnknownRulesError if this code lacks the rules of the block
   */
  private build(batch: PendingEnvelope[]): CertifiedBlock | null {
    const parent = this.parts.executor.newest;
    try {
      return this.tryBuild(batch);
    } catch (error) {
      if (error instanceof UnknownRulesError) {
        settleUnavailable(batch);
        throw error;
      }
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
        pending.settle({ status: 'failed', error });
      }
    }
    const isEmpty = open.execution.transitionCount === 0;
    if (isEmpty && batch.length > 0 && !this.timer.idleBlockIsDue) {
      // Refusals may depend on the block being written, so they wait until it is durable.
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
    // If its predecessor could not be written, this block was discarded with it.
    if (this.state === 'halted' || !executor.has(hash)) {
      settleUnavailable(executed.map(({ pending }) => pending));
      return;
    }
    const { signedBlocks } = this.options;
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

  /** Another process's blocks in the database can look like damage. */
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
