/**
 * The cost of several validators: rate, latency and CPU time, against a devnet of one and CometBFT's kvstore with
 * equal validators and transaction sizes. Each turn has a new chain, and none runs beside it.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalize } from '@netd/protocol';
import { at, beaconIntent, beaconsByAgent, makeAgents, registration } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { HttpConnection, postRequest } from '../http-connection.ts';
import { openConnections, startLoadGenerator, troubles, type Load } from '../load.ts';
import type { LoadReport } from '../load-generator.ts';
import { median, spread } from '../measure.ts';
import {
  joinAsFullNode,
  startKvstore,
  startSolo,
  startValidators,
  type Network,
} from '../validator-networks.ts';

/** One agent each. */
const CONNECTIONS = 420;
/** Per connection. */
const INTENTS = 4;
/** Sequential, with pauses longer than any chain's. */
const SINGLES = 15;
const PAUSE_MILLISECONDS = 150;

interface Turn {
  perSecond: number;
  /** Milliseconds to a receipt under load. */
  loadedLatency: number;
  /** Milliseconds to a receipt on an idle chain. */
  latency: number;
  /** Microseconds per intent, over all processes. */
  cpu: number;
  /** CometBFT's part of `cpu`. */
  engineShare: number;
  /** Intents undecided within the answer's time limit. */
  undecided: number;
}

/** Bodies for a chain, by connection. */
interface Work {
  path: string;
  warmUp: { path: string; bodies: string[][] }[];
  bodies: string[][];
  singles: string[];
}

function ourWork(): Work {
  const agents = makeAgents(CONNECTIONS);
  const path = '/v1/intents';
  return {
    path,
    warmUp: [
      {
        path: '/v1/agents/register',
        bodies: agents.map((agent) => [canonicalize(registration(agent))]),
      },
      { path, bodies: beaconsByAgent(agents, 1, 0) },
    ],
    bodies: beaconsByAgent(agents, INTENTS, 0),
    singles: Array.from({ length: SINGLES }, () => beaconIntent(at(agents, 0), 0)),
  };
}

function kvstoreWork(): Work {
  const { length } = beaconIntent(at(makeAgents(1), 0), 0);
  let number = 0;
  const body = (): string => {
    const tx = `k${++number}=`.padEnd(length, 'x');
    return JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'broadcast_tx_commit',
      params: { tx: Buffer.from(tx).toString('base64') },
    });
  };
  const lists = (count: number): string[][] =>
    Array.from({ length: CONNECTIONS }, () => Array.from({ length: count }, body));
  return {
    path: '/',
    warmUp: [{ path: '/', bodies: lists(2) }],
    bodies: lists(INTENTS),
    singles: Array.from({ length: SINGLES }, body),
  };
}

/** Starts a network, sends the work, and stops it. */
async function takeTurn(start: () => Promise<Network>, work: Work): Promise<Turn> {
  const network = await start();
  const load = startLoadGenerator();
  try {
    const { ports } = network;
    const connections = CONNECTIONS / ports.length;
    for (const port of ports) {
      await openConnections(load, String(port), { port, connections });
    }
    for (const part of work.warmUp) await settle(load, ports, part);
    const before = network.cpu();
    const reports = await write(load, ports, work);
    const after = network.cpu();
    const cpu = after.all - before.all;
    const committed = reports.reduce((sum, { succeeded }) => sum + succeeded, 0);
    return {
      perSecond: committed / Math.max(...reports.map(({ seconds }) => seconds)),
      loadedLatency: median(reports.map(({ latency }) => latency.median)),
      cpu: cpu / committed,
      engineShare: (after.engine - before.engine) / cpu,
      undecided: CONNECTIONS * INTENTS - committed,
      latency: await singleLatency(ports[0] ?? 0, work),
    };
  } finally {
    await load.stop();
    await network.stop();
  }
}

/** Attempts of the warm-up: on a busy machine the first blocks may exceed the answer's time limit. */
const ATTEMPTS = 10;
/** The answer to a registration that was committed after its first answer. */
const THERE = 'AGENT_EXISTS';

/** A repeated intent gets its receipt again. */
async function settle(
  load: Load,
  ports: readonly number[],
  part: Pick<Work, 'path' | 'bodies'>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { length } = part.bodies.flat();
    const reports = await write(load, ports, part);
    const settled = reports.map(({ succeeded, refused }) => succeeded + (refused[THERE] ?? 0));
    if (settled.reduce((sum, count) => sum + count, 0) === length) return;
    if (attempt === ATTEMPTS) throw new Error(JSON.stringify(troubles(reports)));
  }
}

/** Sends to all nodes at once, a share each. @throws Error if anything is refused, except for undecided intents */
async function write(
  load: Load,
  ports: readonly number[],
  { path, bodies }: Pick<Work, 'path' | 'bodies'>,
): Promise<LoadReport[]> {
  const share = bodies.length / ports.length;
  const reports = await Promise.all(
    ports.map((port, index) =>
      load.call(
        'write',
        { group: String(port), path, bodies: bodies.slice(index * share, (index + 1) * share) },
        120,
      ),
    ),
  );
  const { 'refused NO_QUORUM': _, [`refused ${THERE}`]: __, ...trouble } = troubles(reports);
  if (Object.keys(trouble).length > 0) throw new Error(JSON.stringify(trouble));
  return reports;
}

async function singleLatency(port: number, { path, singles }: Work): Promise<number> {
  const connection = await HttpConnection.open(port);
  const times: number[] = [];
  for (const [round, body] of singles.entries()) {
    await sleep(PAUSE_MILLISECONDS + (round % 7));
    const startedAt = performance.now();
    const answer = await connection.send(postRequest(path, body));
    if (answer.status > 201) throw new Error(`${answer.status}: ${answer.body.toString()}`);
    times.push(performance.now() - startedAt);
  }
  connection.close();
  return median(times);
}

/** Runs `solo`, then kvstore and ours for each count, in turns. */
async function compare(
  directory: string,
  { counts, turns }: { counts: readonly number[]; turns: number },
): Promise<BenchmarkResult[]> {
  const taken = new Map<string, Turn[]>();
  for (let turn = 0; turn < turns; turn++) {
    const place = (name: string): string => join(directory, `${turn}`, name);
    const take = async (name: string, start: () => Promise<Network>, work: Work) => {
      const result = await takeTurn(start, work);
      console.log(`  turn ${turn + 1}, ${name}: ${canonicalize(result)}`);
      taken.set(name, [...(taken.get(name) ?? []), result]);
    };
    await take('solo', () => startSolo(place('solo')), ourWork());
    for (const count of counts) {
      const [kvstore, ours] = [`kvstore-${count}`, `validators-${count}`];
      await take(kvstore, () => startKvstore(place(kvstore), count), kvstoreWork());
      await take(ours, () => startValidators(place(ours), count), ourWork());
    }
  }
  const ratio = (what: string, [a, b]: [string, string], field: keyof Turn): BenchmarkResult => {
    const [over, under] = [taken.get(a) ?? [], taken.get(b) ?? []];
    const ratios = over.map((turn, index) => turn[field] / (under[index]?.[field] ?? Number.NaN));
    const own = (turns_: readonly Turn[]): number => median(turns_.map((turn) => turn[field]));
    return {
      name: `${what}: ${a} ÷ ${b}`,
      value: median(ratios),
      unit: 'ratio',
      goal: null,
      details: { [a]: own(over), [b]: own(under), ...spread(ratios) },
    };
  };
  return counts.flatMap((count) => {
    const [kvstore, ours] = [`kvstore-${count}`, `validators-${count}`];
    const shares = (taken.get(ours) ?? []).map(({ engineShare }) => engineShare);
    const pairs: [string, string][] = [
      [ours, 'solo'],
      [kvstore, ours],
    ];
    return [
      ...pairs.flatMap((pair) => [
        ratio('intents per second', pair, 'perSecond'),
        ratio('time to the receipt of one on an idle chain, ms', pair, 'latency'),
        ratio('time to the receipt under load, ms', pair, 'loadedLatency'),
        ratio('CPU time for one, µs', pair, 'cpu'),
      ]),
      {
        name: `share of CometBFT in the CPU time: ${ours}`,
        value: median(shares),
        unit: 'ratio' as const,
        goal: null,
        details: spread(shares),
      },
    ];
  });
}

export const validators = (directory: string): Promise<BenchmarkResult[]> =>
  compare(directory, { counts: [1, 4], turns: 2 });

export const sevenValidators = (directory: string): Promise<BenchmarkResult[]> =>
  compare(directory, { counts: [7], turns: 1 });

/** Seconds measured per chain, extrapolated to an hour. */
const QUIET_SECONDS = 60;

/** Returns CPU time of an hour without writes, extrapolated from a minute at the engine's pace of empty blocks. */
export async function idleValidators(directory: string): Promise<BenchmarkResult[]> {
  const hourOf = async (
    start: () => Promise<Network>,
  ): Promise<{ all: number; engine: number }> => {
    const network = await start();
    try {
      // Lets work left over from the start finish.
      await sleep(5_000);
      const before = network.cpu();
      await sleep(QUIET_SECONDS * 1_000);
      const after = network.cpu();
      const hour = (name: 'all' | 'engine'): number =>
        ((after[name] - before[name]) / 1_000_000 / network.ports.length) * (3_600 / QUIET_SECONDS);
      return { all: hour('all'), engine: hour('engine') };
    } finally {
      await network.stop();
    }
  };
  const solo = await hourOf(() => startSolo(join(directory, 'solo')));
  const results: BenchmarkResult[] = [];
  for (const count of [1, 4]) {
    const hour = await hourOf(() =>
      startValidators(join(directory, `${count}`), count, { emptyBlocks: 5_000 }),
    );
    results.push({
      name: `CPU time of an hour of nothing, one of ${count} validators ÷ solo`,
      value: hour.all / solo.all,
      unit: 'ratio',
      goal: null,
      details: { seconds: hour.all, ofCometbft: hour.engine, solo: solo.all },
    });
  }
  return results;
}

/** Blocks before anybody joins, and agents that make them in turn. */
const BLOCKS = 400;
const AGENTS = 100;
const NEWCOMERS = 3;
/** Milliseconds: a state needs two later CometBFT blocks for its verification. */
const EMPTY_BLOCKS = 1_000;

/** Measures new nodes, in turns: all blocks from genesis, and a state certified by two validators. */
export async function newcomers(directory: string): Promise<BenchmarkResult[]> {
  const network = await startValidators(join(directory, 'validators'), 2, {
    emptyBlocks: EMPTY_BLOCKS,
  });
  try {
    const [port = 0] = network.ports;
    const height = await fill(port);
    const origins = network.ports.map((each) => `http://127.0.0.1:${each}`);
    const byBlocks: Joined[] = [];
    const byState: Joined[] = [];
    for (let turn = 0; turn < NEWCOMERS; turn++) {
      const place = (name: string): string => join(directory, `${name}-${turn}`);
      byBlocks.push(await joinAsFullNode(place('blocks'), network, { height }));
      byState.push(await joinAsFullNode(place('state'), network, { height, origins }));
      console.log(`  turn ${turn + 1}: ${JSON.stringify([byBlocks.at(-1), byState.at(-1)])}`);
    }
    const ratio = (what: string, field: keyof Joined): BenchmarkResult => {
      const ratios = byBlocks.map((blocks, turn) => blocks[field] / at(byState, turn)[field]);
      return {
        name: `a new node among validators, ${height} blocks: ${what} by blocks ÷ by a state`,
        value: median(ratios),
        unit: 'ratio',
        goal: null,
        details: {
          byBlocks: median(byBlocks.map((each) => each[field])),
          byState: median(byState.map((each) => each[field])),
          ...spread(ratios),
        },
      };
    };
    return [ratio('time, ms,', 'time'), ratio('CPU time, µs,', 'cpu')];
  } finally {
    await network.stop();
  }
}

type Joined = Awaited<ReturnType<typeof joinAsFullNode>>;

/** Sends intents one by one, a block each. @returns the last height */
async function fill(port: number): Promise<number> {
  const agents = makeAgents(AGENTS);
  const connection = await HttpConnection.open(port);
  const send = async (path: string, body: string): Promise<number> => {
    const answer = await connection.send(postRequest(path, body));
    if (answer.status > 201) throw new Error(`${answer.status}: ${answer.body.toString()}`);
    return (JSON.parse(answer.body.toString()) as { receipt: { height: number } }).receipt.height;
  };
  for (const agent of agents) await send('/v1/agents/register', canonicalize(registration(agent)));
  for (let count = 0; ; count++) {
    const height = await send('/v1/intents', beaconIntent(at(agents, count), 0));
    if (height >= BLOCKS) {
      connection.close();
      return height;
    }
  }
}
