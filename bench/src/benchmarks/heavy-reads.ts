/** Clients reading distinct pages of the largest size, and their cost to others. */
import {
  agentIdOf,
  at,
  beaconPayload,
  type BenchAgent,
  makeAgents,
  passiveRegistration,
} from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { cpuTimeOf, cpuTimeSince } from '../cpu-time.ts';
import { openConnections, rateOf, startLoadGenerator, troubles, type Load } from '../load.ts';
import type { LoadReport } from '../load-generator.ts';
import { median, quantile, spread } from '../measure.ts';
import { orderPayload } from '../mixed-load.ts';
import { RemoteProgram } from '../remote-program.ts';
import { measureRounds } from '../rounds.ts';
import type { ServedNode } from '../served-node.ts';
import { copyState, StateBuilder } from '../states.ts';
import { join } from 'node:path';
import { UNET_PER_NET } from '@netd/protocol';

const CLIENTS = 8;
const TURNS = 3;
const ROUNDS = 12;
/** Several times a turn on a quiet machine. */
const TURN_LIMIT_SECONDS = 300;
const WRITERS = 20;
/** More than one page. */
const ROWS = 1_500;
/** Each stays below the ledger's limit of 1,000 unfinished orders. */
const REQUESTERS = 10;
/** Range of rows per page. */
const LEAST_ROWS = 900;
const MOST_ROWS = 1_000;
const LISTS = ['/v1/agent-directory', '/v1/agent-opportunities', '/v1/agents'];
/** All documents differ. */
const PATHS = Array.from({ length: MOST_ROWS - LEAST_ROWS + 1 }, (_, fewer) =>
  LISTS.map((list) => `${list}?limit=${MOST_ROWS - fewer}`),
).flat();

interface Turn {
  delay: { median: number; p99: number; highest: number };
  idleDelay: { median: number; p99: number; highest: number };
  livez: number[];
  writes: number[];
  idleWrites: number[];
  pages: LoadReport;
  /** Microseconds of the main thread per page, including its other work meanwhile. */
  mainPerPage: number;
}

export async function heavyReads(directory: string): Promise<BenchmarkResult[]> {
  const dataDir = join(directory, 'chain');
  const height = await StateBuilder.build(dataDir, populate);
  const before = await Contender.open(dataDir, join(directory, 'before'), height, Infinity);
  const after = await Contender.open(dataDir, join(directory, 'after'), height);
  try {
    // The first turn warms up.
    for (let turn = 0; turn <= TURNS; turn++) {
      await before.takeTurn();
      await after.takeTurn();
    }
    return resultsOf(before.turns.slice(1), after.turns.slice(1));
  } finally {
    await before.close();
    await after.close();
  }
}

async function populate(state: StateBuilder): Promise<void> {
  await state.register(makeAgents(WRITERS));
  await state.registerRange(WRITERS, ROWS);
  const { height } = state;
  const agents = Array.from({ length: ROWS }, (_, index) => {
    const agentId = agentIdOf(index);
    return { agentId, publicKey: passiveRegistration(agentId).publicKey, sequence: 0 };
  }).slice(WRITERS);
  await state.execute(agents.length, (index) => {
    const agent = at(agents, index);
    return {
      agent,
      draft: { nonce: 'beacon', action: 'publishBeacon', payload: beaconPayload(agent, height) },
    };
  });
  const requesters = agents.slice(0, REQUESTERS);
  const actions = ['faucet', 'createWorkOrder'];
  await state.execute(REQUESTERS, (index) => {
    const agent = at(requesters, index);
    const payload = { agentId: agent.agentId, actions };
    return { agent, draft: { nonce: 'extend', action: 'extendAgentCapabilities', payload } };
  });
  await state.execute(REQUESTERS, (index) => ({
    agent: at(requesters, index),
    draft: { nonce: 'faucet', action: 'faucet', payload: { amount: 500 * UNET_PER_NET } },
  }));
  await state.execute(ROWS, (index) => ({
    agent: at(requesters, index),
    draft: {
      nonce: `order-${index}`,
      action: 'createWorkOrder',
      payload: orderPayload(`order-${index}`),
    },
  }));
}

/** A node with one of the two ways to answer such reads. */
class Contender {
  readonly turns: Turn[] = [];
  private readonly node: RemoteProgram<ServedNode>;
  private readonly load: Load;
  private readonly port: number;
  private readonly agents: BenchAgent[] = makeAgents(WRITERS);
  private readonly height: number;

  private constructor(parts: {
    node: RemoteProgram<ServedNode>;
    load: Load;
    port: number;
    height: number;
  }) {
    this.node = parts.node;
    this.load = parts.load;
    this.port = parts.port;
    this.height = parts.height;
  }

  static async open(
    from: string,
    dataDir: string,
    height: number,
    lightRead?: number,
  ): Promise<Contender> {
    await copyState(from, dataDir);
    const node = new RemoteProgram<ServedNode>(new URL('../served-node.ts', import.meta.url));
    const load = startLoadGenerator();
    const port = await node.call('open', {
      dataDir,
      ...(lightRead === undefined ? {} : { lightRead }),
    });
    await openConnections(load, 'readers', { port, connections: CLIENTS });
    return new Contender({ node, load, port, height });
  }

  async takeTurn(): Promise<void> {
    const { agents, height } = this;
    const measure = async () => {
      await this.node.call('beginDelay', null);
      const rounds = await measureRounds(this.port, { agents, height, rounds: ROUNDS });
      return { ...rounds, delay: await this.node.call('endDelay', null) };
    };
    const idle = await measure();
    const cpu = cpuTimeOf(this.node.pid);
    const reading = this.load.call('read', { group: 'readers', path: PATHS }, TURN_LIMIT_SECONDS);
    const busy = await measure();
    await this.load.call('end', { group: 'readers' });
    const pages = await reading;
    const { main } = cpuTimeSince(cpu, cpuTimeOf(this.node.pid));
    this.turns.push({
      delay: busy.delay,
      idleDelay: idle.delay,
      livez: busy.reads,
      writes: busy.writes,
      idleWrites: idle.writes,
      pages,
      mainPerPage: main / pages.succeeded,
    });
  }

  async close(): Promise<void> {
    await this.load.stop();
    await this.node.stop();
  }
}

function resultsOf(before: readonly Turn[], after: readonly Turn[]): BenchmarkResult[] {
  const all = <Value>(of: (turn: Turn) => Value) => ({
    before: before.map(of),
    after: after.map(of),
  });
  const ratios = (of: (turn: Turn) => number): number[] =>
    before.map((turn, index) => of(turn) / of(after[index] ?? turn));
  const delays = all(({ delay }) => delay.p99);
  const held = ratios(({ delay }) => delay.p99);
  const main = ratios(({ mainPerPage }) => mainPerPage);
  const slowdown = ({ writes, idleWrites }: Turn): number => median(writes) / median(idleWrites);
  const writes = all(slowdown);
  const livez = { before: before.flatMap((t) => t.livez), after: after.flatMap((t) => t.livez) };
  const rates = all(({ pages }) => rateOf(pages));
  return [
    {
      name: `event-loop delay (p99) while ${CLIENTS} clients read the largest pages: all on the main thread ÷ with reader threads`,
      value: median(held),
      unit: 'ratio',
      goal: { atLeast: 3 },
      details: {
        p99Before: median(delays.before),
        p99After: median(delays.after),
        p99Idle: median(after.map(({ idleDelay }) => idleDelay.p99)),
        highestBefore: Math.max(...before.map(({ delay }) => delay.highest)),
        highestAfter: Math.max(...after.map(({ delay }) => delay.highest)),
        ...spread(held),
      },
    },
    {
      name: 'the same: one intent meanwhile ÷ on an idle node, median from request to 201, with reader threads',
      value: median(writes.after),
      unit: 'ratio',
      goal: { atMost: 5 },
      details: { before: median(writes.before), ...spread(writes.after) },
    },
    {
      name: 'the same: GET /livez meanwhile, 99th percentile, with reader threads',
      value: quantile(livez.after, 0.99),
      unit: 'ms',
      goal: { atMost: 50 },
      details: {
        before: quantile(livez.before, 0.99),
        median: median(livez.after),
        medianBefore: median(livez.before),
      },
    },
    {
      name: 'the same: CPU time of the main thread for one page, all on it ÷ with reader threads',
      value: median(main),
      unit: 'ratio',
      goal: null,
      details: {
        microseconds: median(after.map(({ mainPerPage }) => mainPerPage)),
        microsecondsBefore: median(before.map(({ mainPerPage }) => mainPerPage)),
        pagesPerSecond: median(rates.after),
        pagesPerSecondBefore: median(rates.before),
        ...spread(main),
        ...troubles([...before, ...after].map(({ pages }) => pages)),
      },
    },
  ];
}
