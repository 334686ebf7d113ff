/**
 * Rounds of kill -9 under load, each with another fault. Afterwards no acknowledged write may be missing, no
 * refused one present, and the chain must verify and not be ahead of time. Memory and start time must not grow with
 * age. Seed and number determine a round: `--seed S --from N --rounds 1` replays it, apart from timing.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Store } from '@netd/engine';
import { Random } from '@netd/testkit/simulation';
import { verifyDatabase } from '@netd/node/verify';
import { encodeEnvelope, timestampToMs, type JsonObject } from '@netd/protocol';
import { beaconsByAgent, makeAgents } from '../agents.ts';
import { increment, type Counts } from '../counts.ts';
import { ConnectionError, getRequest, HttpConnection, postRequest } from '../http-connection.ts';
import { startNetd, type ServerProcess } from '../netd-process.ts';
import { copyState, StateBuilder } from '../states.ts';
import type { CampaignPart, PartOptions, PartSummary } from './campaign-part.ts';
import { tearPage } from './damage.ts';
import { FAULTS, readOnlyWay, wayOf, type Fault } from './faults.ts';
import { Growth } from './growth.ts';
import { attack } from './hostile-clients.ts';

/** Each fault once per chain, so that verification stays short. */
const ROUNDS_PER_CHAIN = FAULTS.length;
const CLIENTS = 48;
const WRITES_PER_CLIENT = 150;
/** Acknowledged writes per round before the kill. */
const WRITES_PER_ROUND = 150;
const ROUND_SECONDS = 6;
const CLOCK_BOUND = 5_000;
/** The longest clock error of a round. */
const CLOCK_MILLISECONDS = 1_600;

interface Write {
  request: Buffer;
  transitionHash: string;
}

interface Totals {
  rounds: number;
  acknowledged: number;
  refused: number;
  duplicates: number;
  byFault: Counts;
  /** Results of torn pages. */
  torn: Counts;
  growth: Growth;
  faults: string[];
}

export const kill: CampaignPart = {
  unit: 'rounds',
  few: 18,
  async run({ seed, from, count, until, directory, say }: PartOptions): Promise<PartSummary> {
    const agents = makeAgents(CLIENTS);
    const template = join(directory, 'template');
    const height = await StateBuilder.build(template, (state) => state.register(agents));
    const bodies = beaconsByAgent(agents, WRITES_PER_CLIENT, height);
    const writes = bodies.map((list) =>
      list.map((body): Write => ({
        request: postRequest('/v1/intents', body),
        transitionHash: encodeEnvelope(JSON.parse(body) as JsonObject).transitionHash,
      })),
    );
    const totals: Totals = {
      rounds: 0,
      acknowledged: 0,
      refused: 0,
      duplicates: 0,
      byFault: {},
      torn: {},
      growth: new Growth(ROUNDS_PER_CHAIN),
      faults: [],
    };
    let chain: FaultyChain | null = null;
    for (let round = from; round < from + count && Date.now() < until; round++) {
      if (chain === null || round % ROUNDS_PER_CHAIN === 0) {
        await chain?.remove();
        const dataDir = join(directory, `chain-${round}`);
        await copyState(template, dataDir);
        chain = new FaultyChain(dataDir, writes, totals);
      }
      await chain.round(faultOf(round), new Random(seedOf(seed, round)), round % ROUNDS_PER_CHAIN);
      totals.rounds++;
      const fault = faultOf(round);
      increment(totals.byFault, fault);
      for (const what of chain.faults.splice(0)) {
        totals.faults.push(`round ${round} (${fault}, seed ${seed}): ${what}`);
        say(totals.faults.at(-1) ?? '');
      }
      if (totals.rounds % 50 === 0) say(`${totals.rounds} rounds, next is ${round + 1}`);
    }
    await chain?.remove();
    totals.faults.push(...totals.growth.faults());
    return { faults: totals.faults, done: totals.rounds, line: lineOf(totals) };
  },
};

/** Rotates the first fault of each chain, so that faults meet chains of every age. */
function faultOf(round: number): Fault {
  const chain = Math.floor(round / ROUNDS_PER_CHAIN);
  return FAULTS[(round + chain) % FAULTS.length] ?? 'kill';
}

/** Returns a round's seed, unrelated to its neighbors'. */
function seedOf(seed: number, round: number): number {
  return createHash('sha256').update(`${seed} ${round}`).digest().readUInt32LE();
}

class FaultyChain {
  private readonly dataDir: string;
  private readonly writes: Iterator<Write>[];
  private readonly totals: Totals;
  /** Broken promises of the current round. */
  readonly faults: string[] = [];
  private acknowledged: string[] = [];
  private readonly refused: string[] = [];
  private height = 0;

  constructor(dataDir: string, writes: readonly (readonly Write[])[], totals: Totals) {
    this.dataDir = dataDir;
    this.writes = writes.map((list) => list.values());
    this.totals = totals;
  }

  async remove(): Promise<void> {
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** @param age the chain's rounds so far */
  async round(fault: Fault, random: Random, age: number): Promise<void> {
    const { growth } = this.totals;
    if (fault === 'read-only disk') await this.startReadOnly();
    // Only these rounds start without a fault.
    const yardstick = fault === 'kill' ? await Growth.yardstick() : 0;
    let netd: ServerProcess;
    try {
      netd = await startNetd(this.dataDir, wayOf(fault, random, this.dataDir, this.height));
    } catch (error) {
      // A limit may prevent the start, and a failpoint may come before the first answer.
      const expected = fault === 'full disk' || fault === 'failpoint' || fault === 'checkpoint';
      if (!expected) this.faults.push(`it did not start: ${String(error)}`);
      await this.check(fault, random);
      return;
    }
    if (fault === 'clock') process.kill(netd.pid, 'SIGUSR2');
    await this.load(netd, fault, random);
    if (fault === 'kill') {
      growth.add({ age, start: netd.startTime / yardstick, memory: anonymousMemory(netd.pid) });
    }
    await netd.kill('SIGKILL');
    await this.check(fault, random);
  }

  private async load(netd: ServerProcess, fault: Fault, random: Random): Promise<void> {
    const before = this.acknowledged.length;
    const over = { now: false };
    const connections = fault === 'descriptors' ? 120 : 0;
    const hostile = fault === 'hostile clients' || fault === 'descriptors';
    const endAttack = hostile ? attack(netd.port, random, connections) : () => {};
    const clients = this.writes.map((writes) => this.write(netd.port, writes, random, over));
    if (fault === 'checkpoint' || fault === 'kill') clients.push(readCheckpoints(netd.port, over));
    const startedAt = performance.now();
    const until = startedAt + ROUND_SECONDS * 1_000;
    // The clock error is temporary, and writes must meet it.
    const least = startedAt + (fault === 'clock' ? CLOCK_MILLISECONDS : 0);
    const sent = { all: false };
    void Promise.allSettled(clients).then(() => (sent.all = true));
    while (!sent.all && performance.now() < until) {
      const enough = this.acknowledged.length - before >= WRITES_PER_ROUND;
      if (enough && performance.now() > least) break;
      await sleep(5);
    }
    if (hostile) {
      endAttack();
      // It must answer once the attack is over.
      if (!(await answers(netd.port))) this.faults.push('it does not answer after the attack');
    }
    // Varies the moment within a block.
    await sleep(random.below(150));
    over.now = true;
    // Pending answers are lost with the process.
    void Promise.allSettled(clients);
  }

  /** Sends sequentially, with some duplicates and reorderings, until the connection ends. */
  private async write(
    port: number,
    writes: Iterator<Write>,
    random: Random,
    over: { now: boolean },
  ): Promise<void> {
    const connection = await openPatiently(port, over);
    const second = connection && (await openPatiently(port, over));
    if (!connection || !second) return;
    try {
      for (let next = writes.next(); !next.done && !over.now; next = writes.next()) {
        const write = next.value;
        const kind = random.below(12);
        if (kind === 0) {
          await Promise.all([this.send(connection, write), this.send(second, write)]);
        } else if (kind === 1) {
          const later = writes.next();
          if (!later.done) await this.send(second, later.value);
          await this.send(connection, write);
        } else await this.send(connection, write);
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    } finally {
      connection.close();
      second.close();
    }
  }

  private async send(connection: HttpConnection, write: Write): Promise<void> {
    const { status, body } = await connection.send(write.request);
    const { transitionHash } = write;
    if (status === 201) this.acknowledge(transitionHash);
    else if (status >= 400 && status < 500 && status !== 429) {
      const { receipt } = JSON.parse(body.toString()) as { receipt?: object };
      // The first receipt again: it is in the chain.
      if (receipt) {
        this.totals.duplicates++;
        this.acknowledge(transitionHash);
      } else {
        this.totals.refused++;
        this.refused.push(transitionHash);
      }
    } else if (status >= 500 && status !== 503) {
      this.faults.push(`it answered ${status}: ${body.toString().slice(0, 200)}`);
    }
  }

  private acknowledge(transitionHash: string): void {
    this.totals.acknowledged++;
    this.acknowledged.push(transitionHash);
  }

  /** Looks up every acknowledged write on disk. */
  private async check(fault: Fault, random: Random): Promise<void> {
    const { torn } = this.totals;
    const { faults } = this;
    const database = join(this.dataDir, 'chain');
    const { ok, fault: found } = await verifyDatabase(database, {});
    if (!ok) faults.push(`it does not verify: ${found?.reason}`);
    const store = Store.open(database, { readOnly: true });
    try {
      const lost = this.acknowledged.filter((hash) => !store.hasTransition(hash));
      if (lost.length > 0) {
        faults.push(`${lost.length} acknowledged are missing, as ${lost[0]}`);
        // Report a loss once; later rounds check only the rest.
        this.acknowledged = this.acknowledged.filter((hash) => store.hasTransition(hash));
      }
      const acknowledged = new Set(this.acknowledged);
      const there = this.refused.filter(
        (hash) => store.hasTransition(hash) && !acknowledged.has(hash),
      );
      if (there.length > 0) faults.push(`${there.length} refused are there, as ${there[0]}`);
      const snapshot = store.snapshot();
      this.height = snapshot.height;
      const ahead = timestampToMs(snapshot.block.header.timestamp) - Date.now();
      snapshot.close();
      if (ahead > CLOCK_BOUND) faults.push(`the chain is ${ahead} ms ahead of time`);
    } finally {
      await store.close();
    }
    if (fault !== 'torn page') return;
    const { verdict, fault: missed } = await tearPage(this.dataDir, this.acknowledged, random);
    increment(torn, verdict);
    if (missed !== null) faults.push(missed);
  }

  private async startReadOnly(): Promise<void> {
    const database = join(this.dataDir, 'chain', 'data.mdb');
    const digest = (): string => createHash('sha256').update(readFileSync(database)).digest('hex');
    const before = digest();
    try {
      const netd = await startNetd(this.dataDir, readOnlyWay(this.dataDir));
      await netd.kill('SIGKILL');
      this.faults.push('it started on a disk that it cannot write');
    } catch {
      // It exited as expected.
    }
    if (digest() !== before) this.faults.push('a start that failed has written');
  }
}

/** Opens a connection to a node that may have none left; null if that takes too long. */
async function openPatiently(port: number, over: { now: boolean }): Promise<HttpConnection | null> {
  for (let attempt = 0; attempt < 40 && !over.now; attempt++) {
    try {
      return await HttpConnection.open(port);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      await sleep(50);
    }
  }
  return null;
}

async function answers(port: number): Promise<boolean> {
  for (let attempt = 0; attempt < 60; attempt++) {
    try {
      const connection = await HttpConnection.open(port);
      const answer = await Promise.race([
        connection.send(getRequest('/livez')),
        sleep(1_000, null, { ref: false }),
      ]);
      connection.close();
      if (answer?.status === 200) return true;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    await sleep(100);
  }
  return false;
}

/** Requests checkpoints repeatedly; after the kill each must be complete or absent. */
async function readCheckpoints(port: number, over: { now: boolean }): Promise<void> {
  try {
    const connection = await HttpConnection.open(port);
    while (!over.now) {
      await connection.send(getRequest('/v1/state/checkpoint'));
      await sleep(20);
    }
    connection.close();
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
  }
}

function anonymousMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024;
}

function lineOf(totals: Totals): string {
  const { rounds, acknowledged, refused, duplicates, byFault, torn, growth } = totals;
  const list = (counts: Counts): string =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  return (
    `${rounds} rounds (${list(byFault)}): ${acknowledged} acknowledged, ${refused} refused, ${duplicates} duplicates answered with their receipt; ` +
    `torn pages: ${list(torn) || 'none'}; ${growth.line()}`
  );
}
