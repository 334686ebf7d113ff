/**
 * A deterministic simulation of one validator's life: the real chain on a real database, clients that retry the very
 * same envelope until they have an answer, a clock that moves only when nothing else does, crashes and a failing disk
 * at places that the seed chooses. The same seed makes the same blocks.
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
  /** Rounds in which clients send and time passes. */
  steps: number;
  /** A directory that is not there yet; removed afterwards. */
  path: string;
}

export interface SimulationReport {
  seed: number;
  height: number;
  blockHash: string;
  transitions: number;
  acknowledged: number;
  /** Envelopes that were sent, every time counted. */
  actions: number;
  crashes: number;
  /** Writes that the disk refused: full, broken, or read-only for a while. */
  diskFailures: number;
  /** How often the clock stood wrong by more than its bound, and the chain for it. */
  clockFaults: number;
  retries: number;
  duplicates: number;
  /** Envelopes that came later than others that were made after them. */
  reordered: number;
  /** Blocks that were executed while their predecessor was being written. */
  pipelined: number;
}

class SimulationError extends Error {
  override name = 'SimulationError';

  constructor(seed: number, what: string) {
    super(`seed ${seed}: ${what}`);
  }
}

const HOUR = 3_600_000;
/** Wrong readings, both ways: some that a chain takes, some that would date it for good. */
const CLOCK_ERRORS = [-500, -4_000, 4_000, -10_000, 10_000, HOUR, -HOUR, 87_600 * HOUR];

/** How long a disk may go on refusing. */
const DISK_OUTAGES = [200, 1_000, 5_000];

class Simulation {
  private readonly options: SimulationOptions;
  private readonly random: Random;
  private readonly clients: SimulatedClients;
  private readonly clock = new ManualClock();
  private harness: ChainHarness | null = null;
  /** Sent, and no final answer yet: to be sent again. */
  private readonly open = new Map<string, Submission>();
  private readonly acknowledged = new Map<string, Receipt>();
  private readonly refused = new Set<string>();
  /** Answers that this process still owes, by envelope: of two copies one may be refused and the other committed. */
  private owed = new Map<string, number>();
  /** Answers on their way belong to the process that was asked; a crash loses them. */
  private life = 0;
  private quiet = false;
  /** Made and not sent yet: they overtake one another on the way. */
  private late: Submission[] = [];
  /** Until then no write succeeds. */
  private diskDownUntil = 0;
  /** How far the clock stands wrong, until it is set right. */
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
    // Peace at last: every client gets its answer.
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
        // The answer of a disk that had written everything before it failed.
        if (!this.quiet && random.chance(0.02)) this.breakDisk();
      },
    });
  }

  private async restart(): Promise<void> {
    this.counts.crashes++;
    this.countFaults();
    await this.running.close();
    // Nothing tells a node that starts that its clock is ahead: its starter looks.
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
    // Clients that heard nothing, or that the node was not there, say the very same again.
    for (const submission of this.open.values()) {
      if (!random.chance(0.3)) continue;
      this.counts.retries++;
      this.send(submission);
    }
    await this.pass(random.pick([1, 50, 100, 100, 250, 2_000]));
    if (this.clockError === 0 && random.chance(0.15)) this.setClock(random.pick(CLOCK_ERRORS));
    else if (random.chance(0.4)) this.setClock(0);
  }

  /** In any order but that in which they were made. */
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
    // While a block is on its way to disk more arrives, for the next one to be executed meanwhile.
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
        // Where another copy is under way, this is not the last word.
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
    // What falls due by itself has no sender that would wait for it.
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

/** @throws SimulationError naming the seed and the promise that was broken */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  try {
    return await new Simulation(options).run();
  } finally {
    rmSync(options.path, { recursive: true, force: true });
  }
}
