/**
 * A writer, its follower, and a follower of that one: their lag under full load, bytes sent per follower, and a
 * follower's reads against bare Fastify.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beaconsByAgent, makeAgents } from '../agents.ts';
import { compareWithBareRoute } from '../bare-comparison.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { startCountingRelay } from '../counting-relay.ts';
import { HeightWatch, type Lag } from '../height-watch.ts';
import { openConnections, rateOf, startLoadGenerator, troubles } from '../load.ts';
import type { LoadReport } from '../load-generator.ts';
import {
  median,
  seconds,
  spread,
  yardstickDetails,
  YardstickTurns,
  type Yardstick,
} from '../measure.ts';
import { startFollower, startNetd, type ServerProcess } from '../netd-process.ts';
import { StateBuilder } from '../states.ts';

const WRITERS = 200;
/** Per writer and turn. */
const INTENTS = 20;
const TURNS = 5;
/** The node's default. */
const BLOCK_MILLISECONDS = 100;
const IDLE_MILLISECONDS = 20_000;
const PATH = '/v1/agents?limit=20';
const READS = 20_000;

interface Turn {
  writes: LoadReport;
  lags: Lag[];
  /** Until the last follower has the last block. */
  seconds: number;
  blocks: number;
  bytesSent: number;
  yardstick: Yardstick;
}

export async function followers(directory: string): Promise<BenchmarkResult[]> {
  const agents = makeAgents(WRITERS);
  const chain = join(directory, 'writer');
  const height = await StateBuilder.build(chain, (state) => state.register(agents));
  // The first turn warms up.
  const loads = Array.from({ length: TURNS + 1 }, () => beaconsByAgent(agents, INTENTS, height));
  const writer = await startNetd(chain);
  const relay = await startCountingRelay(writer.port);
  const load = startLoadGenerator();
  const nodes: ServerProcess[] = [writer];
  try {
    const near = await startFollower(join(directory, 'near'), relay.url);
    nodes.push(near);
    const far = await startFollower(join(directory, 'far'), `http://127.0.0.1:${near.port}`);
    nodes.push(far);
    const watch = await HeightWatch.open(nodes.map(({ port }) => port));
    await watch.level();
    const before = relay.sent();
    await sleep(IDLE_MILLISECONDS);
    const idleBytesPerSecond = (relay.sent() - before) / (IDLE_MILLISECONDS / 1_000);
    await openConnections(load, 'writers', { port: writer.port, connections: WRITERS });
    const yardsticks = new YardstickTurns();
    const turns: Turn[] = [];
    for (const bodies of loads) {
      const { result, yardstick } = await yardsticks.take(async () => {
        const [first = 0] = await watch.heights();
        const bytes = relay.sent();
        const startedAt = performance.now();
        watch.begin();
        const writes = await load.call('write', { group: 'writers', path: '/v1/intents', bodies });
        const lags = await watch.end();
        await watch.level();
        const took = seconds(startedAt);
        const [last = 0] = await watch.heights();
        return {
          writes,
          lags,
          seconds: took,
          blocks: last - first,
          bytesSent: relay.sent() - bytes,
        };
      });
      turns.push({ ...result, yardstick });
    }
    watch.close();
    const [reads] = await compareWithBareRoute(near.port, [PATH], {
      turns: TURNS,
      requestsFor: () => READS,
      plugins: true,
    });
    const ratios = reads?.turns.map(({ rate, bareRate }) => rate / bareRate) ?? [];
    const measured = turns.slice(1);
    return [
      {
        name: 'cached reads per second of a follower ÷ of a bare Fastify with the same plugins',
        value: median(ratios),
        unit: 'ratio',
        goal: { atLeast: 0.75 },
        details: {
          readsPerSecond: median(reads?.turns.map(({ rate }) => rate) ?? []),
          barePerSecond: median(reads?.turns.map(({ bareRate }) => bareRate) ?? []),
          ...spread(ratios),
        },
      },
      lagResult('a follower', 0, measured),
      lagResult('a follower of a follower', 1, measured),
      trafficResult(measured, idleBytesPerSecond),
    ];
  } finally {
    await load.stop();
    for (const node of nodes.toReversed()) await node.kill('SIGTERM');
    relay.close();
  }
}

function lagResult(who: string, index: number, turns: readonly Turn[]): BenchmarkResult {
  const of = (pick: (lag: Lag) => number): number[] =>
    turns.map(({ lags }) => pick(lags[index] as Lag));
  const ratios = of(({ milliseconds }) => milliseconds.median / BLOCK_MILLISECONDS);
  return {
    name: `how late ${who} of a writer at full load has a block ÷ block time`,
    value: median(ratios),
    unit: 'ratio',
    goal: null,
    details: {
      p99: median(of(({ milliseconds }) => milliseconds.p99 / BLOCK_MILLISECONDS)),
      blocksBehind: median(of(({ blocks }) => blocks.median)),
      blocksBehindP99: median(of(({ blocks }) => blocks.p99)),
      ...spread(ratios),
      ...yardstickDetails(turns.map(({ yardstick }) => yardstick)),
    },
  };
}

function trafficResult(turns: readonly Turn[], idleBytesPerSecond: number): BenchmarkResult {
  const rates = turns.map(({ bytesSent, seconds: took }) => bytesSent / took);
  const committed = WRITERS * INTENTS;
  return {
    name: 'bytes that a writer at full load sends to each follower',
    value: median(rates),
    unit: 'per second',
    goal: null,
    details: {
      perTransition: median(turns.map(({ bytesSent }) => bytesSent / committed)),
      perBlock: median(turns.map(({ bytesSent, blocks }) => bytesSent / blocks)),
      intentsPerSecond: median(turns.map(({ writes }) => rateOf(writes))),
      blocksPerSecond: median(turns.map(({ blocks, seconds: took }) => blocks / took)),
      idleBytesPerSecond,
      ...spread(rates),
      ...troubles(turns.map(({ writes }) => writes)),
    },
  };
}
