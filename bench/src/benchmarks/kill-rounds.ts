/** Repeated kill -9 under load: every acknowledged write must survive, and the chain must verify. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Store } from '@netd/engine';
import { verifyDatabase } from '@netd/node/verify';
import { encodeEnvelope, type JsonObject } from '@netd/protocol';
import { beaconsByAgent, makeAgents } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { increment, type Counts } from '../counts.ts';
import {
  codeOf,
  ConnectionError,
  getRequest,
  HttpConnection,
  postRequest,
} from '../http-connection.ts';
import { troubles } from '../load.ts';
import { median } from '../measure.ts';
import { startNetd } from '../netd-process.ts';
import { copyState, StateBuilder } from '../states.ts';

/** Ten rounds per chain keep its verification short. */
const CHAINS = 5;
const ROUNDS_PER_CHAIN = 10;
const CLIENTS = 128;
/** Acknowledged writes per round before the kill; 50 rounds exceed 20,000. */
const WRITES_PER_ROUND = 450;
const ROUND_SECONDS = 30;
/** Per client and chain: acknowledged writes, losses in each round, and a reserve for the last moments. */
const WRITES_PER_CLIENT = 160;

interface Write {
  request: Buffer;
  transitionHash: string;
}

export async function killRounds(directory: string): Promise<BenchmarkResult[]> {
  const agents = makeAgents(CLIENTS);
  const template = join(directory, 'template');
  const height = await StateBuilder.build(template, (state) => state.register(agents));
  // All chains start from the same state, so that they can share writes.
  const writes = beaconsByAgent(agents, WRITES_PER_CLIENT, height).map((bodies) =>
    bodies.map((body): Write => ({
      request: postRequest('/v1/intents', body),
      transitionHash: encodeEnvelope(JSON.parse(body) as JsonObject).transitionHash,
    })),
  );
  const totals = { acknowledged: 0, lost: 0, invalid: 0 };
  const startTimes: number[] = [];
  const refused: Counts = {};
  for (let number = 0; number < CHAINS; number++) {
    const dataDir = join(directory, `chain-${number}`);
    await copyState(template, dataDir);
    const chain = new KilledChain(
      dataDir,
      writes.map((list) => list.values()),
    );
    for (let round = 0; round < ROUNDS_PER_CHAIN; round++) {
      await chain.round(number * ROUNDS_PER_CHAIN + round);
    }
    await chain.end();
    totals.acknowledged += chain.acknowledged.length;
    totals.lost += chain.lost.size;
    totals.invalid += chain.invalid;
    startTimes.push(...chain.startTimes);
    for (const code of chain.refused) increment(refused, code);
  }
  const rounds = CHAINS * ROUNDS_PER_CHAIN;
  return [
    {
      name: `acknowledged writes lost over ${rounds} rounds of kill -9 under load`,
      value: totals.lost + totals.invalid,
      unit: 'writes',
      goal: { atMost: 0 },
      details: { lost: totals.lost, roundsNotVerifying: totals.invalid, rounds },
    },
    {
      name: `writes acknowledged in these ${rounds} rounds`,
      value: totals.acknowledged,
      unit: 'writes',
      goal: { atLeast: 20_000 },
      details: {
        medianStartMilliseconds: median(startTimes),
        ...troubles([{ refused, failed: {} }]),
      },
    },
  ];
}

/** A chain killed in every round. */
class KilledChain {
  /** Transition hashes in order of receipts. */
  readonly acknowledged: string[] = [];
  readonly startTimes: number[] = [];
  /** Codes. A node must refuse nothing before the kill. */
  readonly refused: string[] = [];
  /** Acknowledged hashes that were missing at least once. */
  readonly lost = new Set<string>();
  invalid = 0;
  /** Clients with work and a connection. */
  private writing = 0;
  private readonly dataDir: string;
  /** Remaining writes per client; writes in flight at a kill are not repeated. */
  private readonly writes: Iterator<Write>[];

  constructor(dataDir: string, writes: Iterator<Write>[]) {
    this.dataDir = dataDir;
    this.writes = writes;
  }

  async round(number: number): Promise<void> {
    const target = this.acknowledged.length + WRITES_PER_ROUND;
    const netd = await startNetd(this.dataDir);
    this.startTimes.push(netd.startTime);
    const clients = this.writes.map((writes) => this.write(netd.port, writes));
    const until = performance.now() + ROUND_SECONDS * 1_000;
    while (this.acknowledged.length < target && this.writing > 0 && performance.now() < until) {
      await sleep(5);
    }
    // Varies the moment within a block.
    await sleep((number * 37) % 130);
    await netd.kill('SIGKILL');
    await Promise.all(clients);
    const database = join(this.dataDir, 'chain');
    const report = await verifyDatabase(database, {});
    if (!report.ok) this.invalid++;
    for (const hash of await missingOnDisk(database, this.acknowledged)) this.lost.add(hash);
  }

  /** Looks up every acknowledged write over HTTP. */
  async end(): Promise<void> {
    const netd = await startNetd(this.dataDir);
    for (const hash of await unknownTo(netd.port, this.acknowledged)) this.lost.add(hash);
    await netd.kill('SIGTERM');
  }

  /** Sends sequentially until the connection ends. */
  private async write(port: number, writes: Iterator<Write>): Promise<void> {
    this.writing++;
    try {
      const connection = await HttpConnection.open(port);
      for (let next = writes.next(); !next.done; next = writes.next()) {
        const { request, transitionHash } = next.value;
        const { status, body } = await connection.send(request);
        if (status === 201) this.acknowledged.push(transitionHash);
        else this.refused.push(codeOf({ status, body }));
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    } finally {
      this.writing--;
    }
  }
}

/** Returns acknowledged transitions missing in a database that no node has open. */
async function missingOnDisk(path: string, acknowledged: readonly string[]): Promise<string[]> {
  const store = Store.open(path, { readOnly: true });
  try {
    return acknowledged.filter((hash) => !store.hasTransition(hash));
  } finally {
    await store.close();
  }
}

/** Returns acknowledged transitions that a node does not know. */
async function unknownTo(port: number, acknowledged: readonly string[]): Promise<string[]> {
  const connection = await HttpConnection.open(port);
  const unknown: string[] = [];
  for (const hash of acknowledged) {
    const { status } = await connection.send(getRequest(`/v1/transitions/${hash}`));
    if (status !== 200) unknown.push(hash);
  }
  connection.close();
  return unknown;
}
