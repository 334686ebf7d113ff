/**
 * The chain of one validator: takes verified envelopes, puts everything that waits into the next block, and answers
 * when the block is executed, certified and on disk. While one block is being written the next is executed; no block
 * is written before its predecessor is durable.
 */
import {
  MAX_SYSTEM_TRANSITIONS,
  type BlockContext,
  type Outcome,
  type RuleError,
  type StateOverlay,
  type StateReader,
  type Submission,
} from '@netd/ledger';
import {
  genesisHash,
  MAX_BLOCK_BYTES,
  MAX_BLOCK_TRANSITIONS,
  type Genesis,
  type Receipt,
} from '@netd/protocol';
import { StateTree } from '../store/state-tree.ts';
import type { BlockWrite, Store } from '../store/store.ts';
import {
  blockWrite,
  genesisBlock,
  identityOf,
  nextContext,
  openBlock,
  sealBlock,
  statementOf,
  tipOf,
  type ChainIdentity,
  type Tip,
} from './block-builder.ts';
import type { Clock } from './clock.ts';
import { SimulatedCrash, type Failpoints } from './failpoints.ts';
import { twinRefusal } from './refusal.ts';
import type { SoloSigner } from './signer.ts';

/** Envelopes in one block: there is room left for whatever is due by itself. */
const MAX_BATCH = MAX_BLOCK_TRANSITIONS - MAX_SYSTEM_TRANSITIONS;

export interface ChainOptions {
  store: Store;
  clock: Clock;
  signer: SoloSigner;
  failpoints: Failpoints;
  /** Milliseconds between two blocks while something waits. */
  blockTime: number;
  /** Milliseconds after which an idle chain makes an empty block. */
  idleBlockTime: number;
  /** Called when a block cannot be built or written; nothing of it is in the chain. */
  onBlockFailure?: (error: unknown, height: number) => void;
}

/** How a submitted envelope ended. */
export type SubmissionResult =
  | { status: 'committed'; receipt: Receipt }
  | { status: 'refused'; refusal: RuleError; receipt: Receipt | null }
  /** Not committed: the node is stopping, or its disk refused the block. */
  | { status: 'unavailable' }
  /** Not committed: a rule failed in a way it should not. */
  | { status: 'failed'; error: unknown };

export type BlockListener = (height: number, transitionCount: number) => void;

interface Waiting {
  submission: Submission;
  resolve: (result: SubmissionResult) => void;
}

type Answer = { waiting: Waiting; outcome: Outcome };

/** A block executed in memory, and whom to answer when it is durable. */
interface BuiltBlock {
  write: BlockWrite;
  hash: string;
  state: StateOverlay;
  slots: BlockWrite['slots'];
  tip: Tip;
  answers: Answer[];
}

export class Chain {
  readonly identity: ChainIdentity;
  readonly tree = new StateTree();
  private readonly options: ChainOptions;
  private readonly listeners = new Set<BlockListener>();
  /** The last durable block. */
  private durable: Tip;
  /** The last executed block: durable, or being written. */
  private tip: Tip;
  /** Executed but not yet durable writes; reads fall through to the store. */
  private pending: BuiltBlock | null = null;
  private writing: Promise<void> = Promise.resolve();
  private waiting: Waiting[] = [];
  private wake: () => void = () => {};
  /** When the last batch was taken, whatever came of it. */
  private lastBuildAt = 0;
  /** When the last block was built: refusals alone make none, and must not keep an idle chain from moving on. */
  private lastBlockAt = 0;
  private stopping = false;
  private dead = false;
  private loop: Promise<void> = Promise.resolve();

  private constructor(options: ChainOptions, genesis: Genesis) {
    this.options = options;
    this.identity = identityOf(genesis);
    this.durable = this.readTip();
    this.tip = this.durable;
    this.tree.load(options.store.slots(), this.durable.height);
    if (this.tree.root !== this.durable.stateRoot) {
      throw new Error(
        `the state tree has root ${this.tree.root}, block ${this.durable.height} says ${this.durable.stateRoot}; run netd verify`,
      );
    }
  }

  /**
   * Opens the chain in the store, or starts it from the genesis document where the store is empty.
   * @throws Error where the store holds another chain, or its tree does not match its head
   */
  static async open(options: ChainOptions, genesis: Genesis): Promise<Chain> {
    const { store, signer } = options;
    const known = store.genesis();
    if (!known) {
      const { header, hash, write } = genesisBlock(genesis, new StateTree());
      const certificate = signer.certify(
        statementOf(header, hash),
        identityOf(genesis).validatorSet,
      );
      await store.initialise(genesis, { ...write, certificate });
    } else if (genesisHash(known) !== genesisHash(genesis)) {
      const other =
        known.chainId === genesis.chainId
          ? `another ${known.chainId}`
          : `the chain ${known.chainId}`;
      throw new Error(`the database holds ${other}, not the chain of this genesis document`);
    }
    return new Chain(options, known ?? genesis);
  }

  start(): void {
    const now = this.options.clock.now();
    this.lastBuildAt = now - this.options.blockTime;
    this.lastBlockAt = this.lastBuildAt;
    this.loop = this.run().catch((error: unknown) => this.die(error));
  }

  /** Finishes what waits, then stops. Submissions from now on are unavailable. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.loop;
    await this.writing;
  }

  /** The last committed height: durable and certified. */
  get height(): number {
    return this.durable.height;
  }

  get head(): Tip {
    return this.durable;
  }

  /** After a simulated crash: the database is to be opened again, by another chain. */
  get crashed(): boolean {
    return this.dead;
  }

  get waitingCount(): number {
    return this.waiting.length;
  }

  /** The newest executed state: what an envelope that arrives now will meet, or very nearly. */
  get executedState(): StateReader {
    return this.pending?.state ?? this.options.store;
  }

  /** Calls back after every durable block. */
  onBlock(listener: BlockListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  submit(submission: Submission): Promise<SubmissionResult> {
    if (this.stopping) return Promise.resolve({ status: 'unavailable' });
    return new Promise((resolve) => {
      this.waiting.push({ submission, resolve });
      this.wake();
    });
  }

  private async run(): Promise<void> {
    for (;;) {
      await this.untilBlockIsDue();
      if (this.stopping && this.waiting.length === 0) return;
      this.lastBuildAt = this.options.clock.now();
      if (this.waiting.length === 0) this.lastBlockAt = this.lastBuildAt;
      await this.produce();
    }
  }

  /** Waits for something to do: waiting envelopes (not sooner than blockTime), the idle time, or the end. */
  private async untilBlockIsDue(): Promise<void> {
    const { clock, blockTime, idleBlockTime } = this.options;
    for (;;) {
      if (this.stopping) return;
      const busy = this.waiting.length > 0;
      const now = clock.now();
      // A clock that was set back must not stop the chain until it has caught up.
      this.lastBuildAt = Math.min(this.lastBuildAt, now);
      this.lastBlockAt = Math.min(this.lastBlockAt, now);
      const due = busy ? this.lastBuildAt + blockTime : this.lastBlockAt + idleBlockTime;
      const rest = due - now;
      if (rest <= 0) return;
      await new Promise<void>((resolve) => {
        const cancel = clock.after(rest, resolve);
        this.wake = () => {
          // While envelopes wait already, another one changes nothing before the block is due.
          if (busy && !this.stopping) return;
          cancel();
          resolve();
        };
      });
      this.wake = () => {};
    }
  }

  private async produce(): Promise<void> {
    const built = this.build(this.takeBatch());
    // The predecessor must be durable before this block may be written.
    const predecessor = this.writing;
    await predecessor;
    if (built === null || this.dead) return;
    if (built.write.header.height !== this.durable.height + 1) {
      this.abandon(built);
      return;
    }
    this.writing = this.write(built).catch((error: unknown) => this.die(error));
  }

  private takeBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { submission } of this.waiting) {
      bytes += Buffer.byteLength(submission.encoded.text);
      if (count === MAX_BATCH || bytes > MAX_BLOCK_BYTES) break;
      count++;
    }
    return this.waiting.splice(0, count);
  }

  /** Executes a batch on the tip. Null where there is no block to write: then everybody has been answered. */
  private build(batch: Waiting[]): BuiltBlock | null {
    const context = nextContext(this.tip, this.options.clock.now());
    try {
      return this.tryBuild(batch, context);
    } catch (error) {
      if (error instanceof SimulatedCrash) throw error;
      // A broken invariant: better no block than a wrong one.
      this.options.onBlockFailure?.(error, context.height);
      for (const { resolve } of batch) resolve({ status: 'failed', error });
      void this.writing.then(() => this.resetTo(this.readTip()));
      return null;
    }
  }

  private tryBuild(batch: Waiting[], context: BlockContext): BuiltBlock | null {
    const { signer, failpoints, store } = this.options;
    const execution = openBlock(this.executedState, context, this.tip);
    const answers: Answer[] = [];
    const texts = [...execution.systemTransitions];
    for (const waiting of batch) {
      try {
        const outcome = execution.execute(waiting.submission);
        if (outcome.ok) texts.push(waiting.submission.encoded.text);
        answers.push({ waiting, outcome });
      } catch (error) {
        // A rule that fails unexpectedly has left no trace; the others go on.
        waiting.resolve({ status: 'failed', error });
      }
    }
    const idleIsDue = this.lastBuildAt - this.lastBlockAt >= this.options.idleBlockTime;
    if (batch.length > 0 && texts.length === 0 && !idleIsDue) {
      // Refusals may rest on the block that is being written: they are true once it is durable.
      void this.answerRefusals(answers, context.height - 1);
      return null;
    }
    const executed = execution.finish();
    const previousSlots = this.pending?.slots;
    const readSlot = (slot: number): Uint8Array | undefined => {
      const record = previousSlots?.get(slot);
      return record === undefined ? store.slot(slot) : (record ?? undefined);
    };
    const sealed = sealBlock(this.identity, context, executed, this.tree, readSlot);
    failpoints.reach('block.built', context.height);
    const certificate = signer.certify(
      statementOf(sealed.header, sealed.hash),
      this.identity.validatorSet,
    );
    failpoints.reach('block.certified', context.height);
    this.lastBlockAt = this.lastBuildAt;
    this.tip = tipOf(sealed.header, sealed.hash);
    this.pending = {
      write: blockWrite(sealed, executed, texts, certificate),
      hash: sealed.hash,
      state: executed.state,
      slots: sealed.slots,
      tip: this.tip,
      answers,
    };
    return this.pending;
  }

  private async write(built: BuiltBlock): Promise<void> {
    const { store, failpoints, onBlockFailure } = this.options;
    const { height } = built.write.header;
    try {
      failpoints.reach('block.writing', height);
      await store.commitBlock(built.write);
    } catch (error) {
      if (error instanceof SimulatedCrash) throw error;
      // A disk may fail after the transaction went through: the database itself says what is true.
      if (this.readTip().blockHash !== built.hash) {
        onBlockFailure?.(error, height);
        this.abandon(built);
        return;
      }
    }
    if (this.dead) return;
    failpoints.reach('block.durable', height);
    this.durable = built.tip;
    if (this.pending === built) this.pending = null;
    // The next block may already stand on this one's memory; from now on the store holds the same.
    else this.pending?.state.rebase(store);
    this.answer(built.answers, built);
    failpoints.reach('block.answered', height);
    const { transitionCount } = built.write.header;
    for (const listener of this.listeners) listener(height, transitionCount);
  }

  /** Forgets an executed block that could not be written, and whatever was built on it. */
  private abandon(built: BuiltBlock): void {
    this.answerUnavailable(built.answers);
    if (this.pending === null || this.pending === built) this.resetTo(this.readTip());
  }

  private resetTo(tip: Tip): void {
    this.pending = null;
    this.durable = tip;
    this.tip = tip;
    this.tree.load(this.options.store.slots(), tip.height);
  }

  /** Refusals are true once the block they rest on is durable. */
  private async answerRefusals(answers: Answer[], restingOn: number): Promise<void> {
    await this.writing;
    if (this.dead) return;
    if (this.durable.height === restingOn) this.answer(answers, null);
    else this.answerUnavailable(answers);
  }

  private answerUnavailable(answers: Answer[]): void {
    for (const { waiting } of answers) waiting.resolve({ status: 'unavailable' });
  }

  private answer(answers: Answer[], built: BuiltBlock | null): void {
    for (const { waiting, outcome } of answers) {
      if (outcome.ok && built) {
        const receipt = receiptOf(built, waiting.submission, outcome);
        waiting.resolve({ status: 'committed', receipt });
      } else if (!outcome.ok) {
        const receipt = this.receiptOfTwin(waiting.submission);
        const refusal = receipt ? twinRefusal(waiting.submission.kind) : outcome.refusal;
        waiting.resolve({ status: 'refused', refusal, receipt });
      }
    }
  }

  /**
   * Two identical envelopes may meet in one queue: the second is told the receipt of the first, for whatever reason it
   * was refused (the first may have rotated the key both are signed with, or have been in time by one block).
   */
  private receiptOfTwin({ encoded }: Submission): Receipt | null {
    if (!this.options.store.hasTransition(encoded.transitionHash)) return null;
    const snapshot = this.options.store.snapshot();
    try {
      return snapshot.receipt(encoded.transitionHash);
    } finally {
      snapshot.close();
    }
  }

  /** A simulated crash ends this chain quietly; anything else that gets here ends the process. */
  private die(error: unknown): void {
    this.dead = true;
    this.stopping = true;
    this.waiting = [];
    this.wake();
    if (!(error instanceof SimulatedCrash)) throw error;
  }

  private readTip(): Tip {
    const snapshot = this.options.store.snapshot();
    try {
      const { header, certificate } = snapshot.block;
      return tipOf(header, certificate.blockHash);
    } finally {
      snapshot.close();
    }
  }
}

function receiptOf(
  built: BuiltBlock,
  submission: Submission,
  outcome: Extract<Outcome, { ok: true }>,
): Receipt {
  const { header, certificate } = built.write;
  return {
    height: header.height,
    blockHash: built.hash,
    stateRoot: header.stateRoot,
    transitionHash: submission.encoded.transitionHash,
    index: outcome.index,
    certificateHash: certificate.certificateHash,
    events: outcome.events.map(({ type, data }, offset) => ({
      id: `${header.height}.${outcome.firstEvent + offset}`,
      type,
      data,
    })),
  };
}
