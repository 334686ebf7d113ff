/**
 * A deterministic simulation of a writer and followers, one of which follows only another follower. Chains and
 * databases are real. The network loses, delays, repeats and reorders; nodes crash, disks fill and clocks jump.
 * Every answer is compared with the writer's certified data.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainHarness } from '../chain-harness.ts';
import { ManualClock } from '../manual-clock.ts';
import { validateChain } from '../validate-chain.ts';
import { verifyDatabase } from '@netd/engine';
import { CountingVerifier } from './counting-verifier.ts';
import { FollowerPromises } from './follower-promises.ts';
import { LyingNode } from './lying-node.ts';
import { Partitions } from './partitions.ts';
import { Random } from './random.ts';
import { SimulatedClients } from './simulated-clients.ts';
import { SimulatedFaults } from './simulated-faults.ts';
import { SimulatedFollower } from './simulated-follower.ts';
import { SimulatedNetwork, type NetworkCounts } from './simulated-network.ts';
import { SimulatedWriter } from './simulated-writer.ts';

export interface FollowersOptions {
  seed: number;
  /** Rounds of writes, faults and passing time. */
  steps: number;
  /** A directory to create, removed afterwards. */
  path: string;
  /** True to make one of the origins lie. */
  liar?: boolean;
  /** True to make some followers begin at checkpoints, repeatedly. */
  checkpoints?: boolean;
}

export interface FollowersReport extends NetworkCounts {
  seed: number;
  height: number;
  blockHash: string;
  /** Answers compared with certified data. */
  compared: number;
  writerCrashes: number;
  followerCrashes: number;
  diskFailures: number;
  partitions: number;
  clockJumps: number;
  /** Followers that began at a checkpoint, and interrupted restores. */
  restores: number;
  restoreCrashes: number;
  /** Altered answers, and bans for them. */
  lies: number;
  banned: number;
  /** The version of the rules at the end. */
  rules: number;
  /** Simulated milliseconds from the last fault until every node has caught up. */
  caughtUpAfter: number;
}

const WRITER = 'http://writer';
const LIAR = 'http://liar';
const FOLLOWERS = ['http://one', 'http://two', 'http://three'] as const;
const HOUR = 3_600_000;
const CLOCK_ERRORS = [-4_000, 4_000, HOUR, -HOUR];
const DISK_OUTAGES = [200, 1_000, 5_000];
const NIGHT_MILLISECONDS = 600_000;
/** Limit in simulated time: a follower pauses for 30 s after many failures. */
const CATCH_UP_MILLISECONDS = 180_000;
const MAX_CATCH_UP_ROUND = 1_000;

class FollowersSimulation {
  private readonly options: FollowersOptions;
  private readonly random: Random;
  private readonly clients: SimulatedClients;
  private readonly clock = new ManualClock();
  private readonly network: SimulatedNetwork;
  private readonly partitions: Partitions;
  private readonly verifier = new CountingVerifier();
  private readonly followers: SimulatedFollower[];
  private readonly liar: LyingNode | null;
  private readonly writer: SimulatedWriter;
  /** A separate generator, so that runs without checkpoints keep their course. */
  private readonly fates: Random;
  private readonly promises: FollowerPromises;
  private readonly faults: SimulatedFaults;
  /** The step after which version 2 of the rules is scheduled. */
  private readonly crossingAt: number;
  private readonly rules: Random;
  /** The step after which a node is isolated for a night. */
  private readonly nightAt: number;
  private quiet = false;
  private readonly counts = {
    writerCrashes: 0,
    followerCrashes: 0,
    clockJumps: 0,
    restores: 0,
    banned: 0,
  };

  constructor(options: FollowersOptions) {
    const { seed } = options;
    this.options = options;
    this.random = new Random(seed);
    this.fates = Random.named(seed, 'checkpoints');
    this.clients = new SimulatedClients(Random.named(seed, 'clients'));
    this.rules = Random.named(seed, 'rules');
    this.crossingAt = this.rules.below(options.steps / 2);
    this.nightAt = this.random.below(2 * options.steps);
    this.faults = new SimulatedFaults(this.clock);
    this.network = new SimulatedNetwork(this.clock, seed);
    const urls = [WRITER, LIAR, ...FOLLOWERS];
    this.partitions = new Partitions(this.network, Random.named(seed, 'partitions'), urls);
    this.writer = new SimulatedWriter(WRITER, options.path, this.clock);
    this.promises = new FollowerPromises({
      seed,
      random: this.random,
      writer: () => this.running.store,
      followers: () => this.followers,
    });
    // Compared too: a state that it forwards unchanged counts as offered.
    const honest = this.promises.compared(this.writer);
    this.network.add(honest);
    this.liar = options.liar === true ? new LyingNode(LIAR, honest, seed) : null;
    if (this.liar) this.network.add(this.liar);
    this.followers = FOLLOWERS.map((url, index) => this.follower(url, this.originsOf(index)));
    for (const follower of this.followers) this.network.add(this.promises.compared(follower));
  }

  async run(): Promise<FollowersReport> {
    try {
      await this.startWriter();
      for (let step = 0; step < this.options.steps; step++) {
        await this.step(step);
        if (step === this.nightAt) await this.night();
      }
      const caughtUpAfter = await this.catchUp();
      return await this.finish(caughtUpAfter);
    } finally {
      await Promise.all(this.followers.map((follower) => follower.kill()));
      await this.writer.close();
      await this.verifier.close();
    }
  }

  /** Origins: the writer for the first, perhaps both for the second, another follower for the third. */
  private originsOf(index: number): string[] {
    const { random } = this;
    const [one, two] = FOLLOWERS;
    const honest =
      index === 0
        ? [WRITER]
        : index === 1
          ? random.pick([[WRITER], [one], [WRITER, one], [one, WRITER]])
          : random.pick([[two], [two, one], [one]]);
    if (this.options.liar !== true) return honest;
    return random.chance(0.7) ? [LIAR, ...honest] : [...honest, LIAR];
  }

  private follower(url: string, origins: string[]): SimulatedFollower {
    const { clock, network, verifier, options } = this;
    const random = Random.named(options.seed, url);
    const fates = Random.named(options.seed, `${url} checkpoints`);
    return new SimulatedFollower({
      url,
      origins,
      path: join(options.path, new URL(url).hostname),
      clock,
      network,
      verifier,
      at: (name, height) => {
        // A concurrent read.
        this.promises.checkByUrl(url);
        this.faults.at(url, random, name, height);
      },
      afterCommit: () => this.faults.afterCommit(random),
      onBlock: (height) => {
        this.promises.checkByUrl(url, height);
        network.tellNews(url);
      },
      restores: options.checkpoints === true && fates.chance(0.8),
      losesCheckpoints: () => fates.chance(0.2),
      onRestore: ({ phase }) => {
        if (phase === 'done') this.counts.restores++;
        else this.faults.inRestore(url, fates);
      },
      onBan: (banned, reason) => {
        if (banned === LIAR) this.counts.banned++;
        else this.promises.break(`${url} believes ${banned} no more, which is honest: ${reason}`);
      },
      onFault: (what) => this.promises.break(`${url} ${what}`),
    });
  }

  private get running(): ChainHarness {
    return this.writer.running;
  }

  private async startWriter(): Promise<void> {
    const random = Random.named(this.options.seed, `writer ${this.counts.writerCrashes}`);
    await this.writer.start({
      blockTime: random.pick([0, 100]),
      idleBlockTime: random.pick([1_000, 10_000]),
      at: (name, height) => this.faults.at(WRITER, random, name, height),
      afterCommit: () => this.faults.afterCommit(random),
      losesCheckpoints: this.fates.chance(0.2),
    });
    this.running.chain.onBlock(() => this.network.tellNews(WRITER));
  }

  private async step(step: number): Promise<void> {
    const { random } = this;
    await this.restartTheDead();
    for (let i = random.below(5); i > 0; i--) {
      this.running.post(this.clients.envelope(this.running));
    }
    if (step >= this.crossingAt) this.writer.scheduleRules(4 + this.rules.below(6));
    this.partitions.pass(step);
    for (const url of [WRITER, ...FOLLOWERS]) {
      if (random.chance(0.02)) {
        this.faults.breakFor(url, random.pick(DISK_OUTAGES));
      }
    }
    for (const follower of this.followers) {
      const fate = random.next();
      if (fate < 0.02 && follower.isUp) {
        this.counts.followerCrashes++;
        await follower.kill();
      } else if (fate < 0.04 && follower.isUp) {
        await follower.stop();
      } else if (fate < 0.07) {
        this.counts.clockJumps++;
        follower.clockError = random.pick(CLOCK_ERRORS);
      }
    }
    if (this.options.checkpoints === true) await this.beginAnew();
    await this.pass(random.pick([1, 50, 100, 250, 1_000, 2_000]));
    this.promises.check();
  }

  /** Wipes some followers to restart from a checkpoint; kills some of these while they wait for it. */
  private async beginAnew(): Promise<void> {
    for (const follower of this.followers) {
      const fate = this.fates.next();
      if (follower.isRestoring && fate < 0.1) {
        this.faults.restoreCrashes++;
        await follower.kill();
      } else if (follower.isUp && fate < 0.03) {
        await follower.stop();
        follower.wipe();
        this.promises.forget(follower);
      }
    }
  }

  /** Isolates a follower for so long that it hardly polls. */
  private async night(): Promise<void> {
    const alone = this.random.pick(FOLLOWERS);
    this.partitions.isolate(alone, true);
    await this.pass(NIGHT_MILLISECONDS);
    this.promises.check();
    this.partitions.isolate(alone, false);
  }

  private async restartTheDead(): Promise<void> {
    if (this.running.crashed) {
      this.counts.writerCrashes++;
      this.network.close(WRITER);
      await this.writer.close();
      await this.startWriter();
    }
    for (const follower of this.followers) {
      if (follower.isDown && (this.quiet || this.random.chance(0.5))) follower.start();
    }
  }

  /** Fires timers one by one, each after the effects of the last have settled. */
  private async pass(milliseconds: number): Promise<void> {
    const end = this.clock.elapsed() + milliseconds;
    await this.settle();
    while (this.clock.fireNext(end)) await this.settle();
    this.clock.advance(Math.max(0, end - this.clock.elapsed()));
    this.promises.throwIfBroken();
  }

  private async settle(): Promise<void> {
    for (let quietTurns = 0; quietTurns < 3; quietTurns++) {
      await this.running.settle();
      const busy = this.followers.some(({ isBusy }) => isBusy) || this.verifier.pending > 0;
      if (busy || isDiskAsked()) quietTurns = -1;
    }
    for (const follower of this.followers) {
      if (follower.isCrashed) {
        this.counts.followerCrashes++;
        await follower.kill();
      }
    }
  }

  /** Stops all faults and waits until every node reaches the writer's height. */
  private async catchUp(): Promise<number> {
    this.quiet = true;
    this.faults.areOver = true;
    this.network.isCalm = true;
    this.liar?.confess();
    this.partitions.heal();
    await this.restartTheDead();
    for (let round = 0; round === 0 || (this.writer.rulesVersion === 1 && round < 100); round++) {
      this.writer.scheduleRules(4);
      this.running.post(this.clients.envelope(this.running));
      await this.pass(MAX_CATCH_UP_ROUND);
    }
    const target = this.running.chain.height;
    const startedAt = this.clock.elapsed();
    const isThere = (follower: SimulatedFollower): boolean =>
      follower.isUp &&
      follower.chain.chain.height >= target &&
      follower.chain.store.history().from === 0;
    while (!this.followers.every(isThere)) {
      const passed = this.clock.elapsed() - startedAt;
      if (passed > CATCH_UP_MILLISECONDS)
        this.promises.fail(`after ${passed} ms ${this.heights()}`);
      await this.restartTheDead();
      await this.pass(MAX_CATCH_UP_ROUND);
      this.promises.check();
    }
    return this.clock.elapsed() - startedAt;
  }

  private heights(): string {
    const lines = this.followers.map((follower) => {
      const faults = follower.isUp
        ? follower.chain.host.status.issues.map(({ text }) => text).join('; ')
        : 'down';
      return `${follower.url} (of ${follower.origins.join(', ')}) is at ${this.promises.servedBy(follower)}: ${faults}`;
    });
    return [`the writer is at ${this.running.chain.height}`, ...lines].join(', ');
  }

  private async finish(caughtUpAfter: number): Promise<FollowersReport> {
    const { height, blockHash } = this.running.chain.head;
    for (const follower of this.followers) {
      const faults = validateChain(follower.chain.store);
      if (faults.length > 0) this.promises.fail(`${follower.url}: ${faults.join('; ')}`);
    }
    const last = this.followers.at(-1);
    const path = last?.chain.store.path ?? '';
    await last?.stop();
    const report = await verifyDatabase(path, {});
    if (report.fault)
      this.promises.fail(`replay: block ${report.fault.height}: ${report.fault.reason}`);
    return {
      seed: this.options.seed,
      height,
      blockHash,
      ...this.network.counts,
      ...this.counts,
      compared: this.promises.comparedCount,
      diskFailures: this.faults.diskFailures,
      restoreCrashes: this.faults.restoreCrashes,
      partitions: this.partitions.count,
      lies: this.liar?.lies ?? 0,
      rules: this.writer.rulesVersion,
      caughtUpAfter,
    };
  }
}

/** True while files are read or written: their results come before the next timer. */
const isDiskAsked = (): boolean =>
  process.getActiveResourcesInfo().some((name) => /^(FSReq|CloseReq)/.test(name));

/** @throws BrokenPromiseError with the seed and the broken promise */
export async function simulateFollowers(options: FollowersOptions): Promise<FollowersReport> {
  try {
    return await new FollowersSimulation(options).run();
  } finally {
    rmSync(options.path, { recursive: true, force: true });
  }
}
