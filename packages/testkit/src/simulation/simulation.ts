/**
 * A deterministic simulation of one validator: a real chain and database, clients that retry until answered, a
 * clock that moves only when nothing else does, seeded crashes and disk failures. The same seed makes the same
 * blocks.
 */
import { rmSync } from 'node:fs';
import type { Submission } from '@netd/ledger';
import {
  canonicalize,
  envelopeKind,
  timestampToMs,
  type JsonObject,
  type Receipt,
} from '@netd/protocol';
import {
  CLOCK_BOUND_MILLISECONDS,
  type Failpoint,
  type SubmissionResult,
} from '@netd/engine/testing';
import { validateChain } from '../validate-chain.ts';
import { ChainHarness } from '../chain-harness.ts';
import { ManualClock } from '../manual-clock.ts';
import { SimulatedCrash } from '../simulated-process.ts';
import { verifyDatabase } from '@netd/engine';
import { Random } from './random.ts';
import { SimulatedClients } from './simulated-clients.ts';
import { diskRefusal } from './simulated-faults.ts';

export interface SimulationOptions {
  seed: number;
  /** Rounds of writes and passing time. */
  steps: number;
  /** A directory to create, removed afterwards. */
  path: string;
}

export interface SimulationReport {
  seed: number;
  height: number;
  blockHash: string;
  transitions: number;
  acknowledged: number;
  /** Envelopes sent, repeats included. */
  actions: number;
  crashes: number;
  /** Writes refused by a full, broken or read-only disk. */
  diskFailures: number;
  /** Halts because the clock was wrong by more than its bound. */
  clockFaults: number;
  retries: number;
  duplicates: number;
  /** Envelopes that arrived after later ones. */
  reordered: number;
  /** Blocks executed while their predecessor was being written. */
  pipelined: number;
}

class SimulationError extends Error {
  override name = 'SimulationError';

  constructor(seed: number, what: string) {
    super(`seed ${seed}: ${what}`);
  }
}

const HOUR = 3_600_000;
/** Wrong readings both ways: some acceptable, some that would misdate the chain for good. */
const CLOCK_ERRORS = [-500, -4_000, 4_000, -10_000, 10_000, HOUR, -HOUR, 87_600 * HOUR];

/** Milliseconds for which a disk refuses. */
const DISK_OUTAGES = [200, 1_000, 5_000];

class Simulation {
  private readonly options: SimulationOptions;
  private readonly random: Random;
  private readonly clients: SimulatedClients;
  private readonly clock = new ManualClock();
  private harness: ChainHarness | null = null;
  /** Sent without a final answer; retried. */
  private readonly open = new Map<string, Submission>();
  private readonly acknowledged = new Map<string, Receipt>();
  private readonly refused = new Set<string>();
  /** Pending answers of this process by envelope: one copy may be refused and another committed. */
  private owed = new Map<string, number>();
  /** Distinguishes processes: a crash loses the answers of the old one. */
  private life = 0;
  private quiet = false;
  /** Envelopes held back, to be overtaken. */
  private late: Submission[] = [];
  /** Writes fail until then. */
  private diskDownUntil = 0;
  /** The clock's error until it is set right. */
  private clockError = 0;
  /** The first broken promise that a client noticed. */
  private broken: Error | null = null;
  private readonly counts = {
    actions: 0,
    reordered: 0,
    crashes: 0,
    diskFailures: 0,
    clockFaults: 0,
    retries: 0,
    duplicates: 0,
    pipelined: 0,
  };

  constructor(options: SimulationOptions) {
    this.options = options;
    this.random = new Random(options.seed);
    this.clients = new SimulatedClients(this.random);
  }

  async run(): Promise<SimulationReport> {
    await this.start();
    for (let step = 0; step < this.options.steps; step++) {
      await this.step();
      if (this.running.crashed) await this.restart();
    }
    // No more faults: every client gets its answer.
    this.quiet = true;
    this.setClock(0);
    this.sendLate();
    for (let round = 0; this.open.size > 0; round++) {
      if (round === 50) this.fail(`${this.open.size} clients never get an answer`);
      for (const submission of this.open.values()) this.send(submission);
      await this.pass(1_000);
    }
    return this.finish();
  }

  private get chain(): ChainHarness['chain'] {
    return this.running.chain;
  }

  private get running(): ChainHarness {
    if (!this.harness) throw new Error('nothing is running');
    return this.harness;
  }

  private async start(): Promise<void> {
    const { random } = this;
    this.life++;
    this.owed = new Map();
    this.harness = await ChainHarness.open({
      path: this.options.path,
      clock: this.clock,
      blockTime: random.pick([0, 0, 100]),
      idleBlockTime: random.pick([1_000, 10_000]),
      at: (name, height) => this.at(name, height),
      afterCommit: () => {
        // A disk that fails after writing everything.
        if (!this.quiet && random.chance(0.02)) this.breakDisk();
      },
    });
  }

  private async restart(): Promise<void> {
    this.counts.crashes++;
    this.countFaults();
    await this.running.close();
    // A starting node cannot notice that its clock is ahead; the operator corrects it.
    this.setClock(0);
    await this.start();
  }

  private async step(): Promise<void> {
    const { random } = this;
    for (let i = random.below(6); i > 0; i--) {
      const envelope = this.clients.envelope(this.running);
      if (random.chance(0.2)) this.late.push(envelope);
      else this.send(envelope);
    }
    if (random.chance(0.3)) this.sendLate();
    if (random.chance(0.03)) this.diskDownUntil = this.clock.elapsed() + random.pick(DISK_OUTAGES);
    // Unanswered clients repeat the same envelope.
    for (const submission of this.open.values()) {
      if (!random.chance(0.3)) continue;
      this.counts.retries++;
      this.send(submission);
    }
    await this.pass(random.pick([1, 50, 100, 100, 250, 2_000]));
    if (this.clockError === 0 && random.chance(0.15)) this.setClock(random.pick(CLOCK_ERRORS));
    else if (random.chance(0.4)) this.setClock(0);
  }

  /** Sends the delayed envelopes in another order. */
  private sendLate(): void {
    this.counts.reordered += this.late.length;
    while (this.late.length > 0) {
      const [some] = this.late.splice(this.random.below(this.late.length), 1);
      if (some) this.send(some);
    }
  }

  private async pass(milliseconds: number): Promise<void> {
    await this.running.settle();
    if (!this.running.crashed) await this.running.advance(milliseconds);
    if (this.broken) throw this.broken;
    const ahead = timestampToMs(this.chain.head.timestamp) - (this.clock.now() - this.clockError);
    if (ahead > CLOCK_BOUND_MILLISECONDS) this.fail(`the chain is ${ahead} ms ahead of time`);
  }

  private setClock(error: number): void {
    this.clock.set(this.clock.now() - this.clockError + error);
    this.clockError = error;
  }

  private at(name: Failpoint, height: number): void {
    if (this.quiet) return;
    const { random } = this;
    // More envelopes arrive while a block is written; the next block executes meanwhile.
    if (name === 'block.writing') {
      for (let i = random.below(3); i > 0; i--) this.send(this.clients.envelope(this.running));
      const [some] = this.open.values();
      if (some && random.chance(0.3)) this.send(some);
    }
    if (random.chance(0.025)) {
      throw new SimulatedCrash(`${name}@${height}`);
    }
    const isDown = this.clock.elapsed() < this.diskDownUntil;
    if (name === 'block.writing' && (isDown || random.chance(0.06))) this.breakDisk();
  }

  private breakDisk(): never {
    this.counts.diskFailures++;
    throw diskRefusal(this.random);
  }

  private send(submission: Submission): void {
    this.counts.actions++;
    const { transitionHash } = submission.encoded;
    if (!this.open.has(transitionHash) && !this.acknowledged.has(transitionHash)) {
      this.open.set(transitionHash, submission);
    }
    for (const answer of this.running.submit(submission)) {
      this.owed.set(transitionHash, (this.owed.get(transitionHash) ?? 0) + 1);
      void this.listen(transitionHash, answer);
    }
  }

  private async listen(transitionHash: string, answer: Promise<SubmissionResult>): Promise<void> {
    const { life } = this;
    const result = await answer;
    if (life !== this.life || this.running.crashed) return;
    this.owed.set(transitionHash, (this.owed.get(transitionHash) ?? 1) - 1);
    try {
      this.hear(transitionHash, result);
    } catch (error) {
      this.broken ??= error as Error;
    }
  }

  private hear(transitionHash: string, result: SubmissionResult): void {
    switch (result.status) {
      case 'committed':
        this.acknowledge(transitionHash, result.receipt);
        break;
      case 'refused':
        if (result.receipt) {
          this.counts.duplicates++;
          this.acknowledge(transitionHash, result.receipt);
          break;
        }
        if (this.running.store.hasTransition(transitionHash)) {
          this.fail(`${transitionHash} is in the chain, its sender was refused without a receipt`);
        }
        // Another copy is pending, so this is not final.
        if (this.owed.get(transitionHash)) break;
        this.refused.add(transitionHash);
        this.open.delete(transitionHash);
        break;
      case 'unavailable':
        break;
      case 'failed':
        this.fail(`a rule failed: ${String(result.error)}`);
    }
  }

  private acknowledge(transitionHash: string, receipt: Receipt): void {
    const known = this.acknowledged.get(transitionHash);
    if (known && canonicalize(known) !== canonicalize(receipt)) {
      this.fail(`${transitionHash} has two receipts`);
    }
    this.acknowledged.set(transitionHash, receipt);
    this.open.delete(transitionHash);
    const { height } = this.chain;
    if (receipt.height > height) this.fail(`a receipt of ${receipt.height} at height ${height}`);
  }

  private countFaults(): void {
    const { clockFaults, trace } = this.running;
    this.counts.clockFaults += clockFaults.filter((fault) => fault !== null).length;
    const durable = new Set<string>();
    for (const event of trace) {
      const [name, height] = event.split('@');
      if (name === 'block.durable') durable.add(String(height));
      if (name === 'block.built' && trace.includes(`block.writing@${Number(height) - 1}`)) {
        if (!durable.has(String(Number(height) - 1))) this.counts.pipelined++;
      }
    }
  }

  private async finish(): Promise<SimulationReport> {
    this.countFaults();
    const { store } = this.running;
    const { height, blockHash } = this.chain.head;
    if (this.running.executor.tree.root !== this.chain.head.stateRoot)
      this.fail('the tree is not the head’s');
    const faults = validateChain(store);
    if (faults.length > 0) this.fail(faults.join('; '));
    const snapshot = store.snapshot();
    let transitions = 0;
    // System transitions have no sender waiting for them.
    const isSent = ({ text }: { text: string }): boolean =>
      envelopeKind(JSON.parse(text) as JsonObject) !== 'system';
    for (let at = 1; at <= height; at++) {
      transitions += snapshot.transitionsOf(at).filter(isSent).length;
    }
    for (const [hash, receipt] of this.acknowledged) {
      if (canonicalize(snapshot.receipt(hash)) !== canonicalize(receipt)) {
        this.fail(`the acknowledged ${hash} is not in the chain as its receipt says`);
      }
    }
    snapshot.close();
    if (transitions !== this.acknowledged.size) {
      this.fail(`${transitions} transitions, ${this.acknowledged.size} acknowledged`);
    }
    await this.running.close();
    const report = await verifyDatabase(this.options.path, {});
    if (report.fault) this.fail(`replay: block ${report.fault.height}: ${report.fault.reason}`);
    return {
      seed: this.options.seed,
      height,
      blockHash,
      transitions,
      acknowledged: this.acknowledged.size,
      ...this.counts,
    };
  }

  private fail(what: string): never {
    throw new SimulationError(this.options.seed, what);
  }
}

/** @throws SimulationError with the seed and the broken promise */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  try {
    return await new Simulation(options).run();
  } finally {
    rmSync(options.path, { recursive: true, force: true });
  }
}
