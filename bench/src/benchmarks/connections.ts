/** 10,000 idle and 4,000 writing keep-alive connections: none may be reset. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beaconsByAgent, makeAgents } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import type { Counts } from '../counts.ts';
import { startLoadGenerator, troubles } from '../load.ts';
import type { LoadReport } from '../load-generator.ts';
import { startNetd } from '../netd-process.ts';
import { StateBuilder } from '../states.ts';

const IDLE = 10_000;
/** Connections opened at a time; fits the listen queue of an idle server. */
const IDLE_AT_ONCE = 500;
const WRITING = 4_000;
const INTENTS_PER_CONNECTION = 6;
/** The second half connects at once while the first keeps the node busy. */
const HALF = WRITING / 2;
const HEAD_START_MILLISECONDS = 500;
const LIMIT_SECONDS = 120;

export async function connections(directory: string): Promise<BenchmarkResult[]> {
  const agents = makeAgents(WRITING);
  const height = await StateBuilder.build(directory, (state) => state.register(agents));
  const bodies = beaconsByAgent(agents, INTENTS_PER_CONNECTION, height);
  const netd = await startNetd(directory);
  const load = startLoadGenerator();
  try {
    const { port } = netd;
    const overflowsBefore = listenOverflows();
    const failed: Counts[] = [];
    const group = 'idle';
    failed.push(await load.call('open', { group, port, connections: IDLE, atOnce: IDLE_AT_ONCE }));
    const readOnce = (): Promise<LoadReport> =>
      load.call('read', { group, path: '/livez', requests: IDLE }, LIMIT_SECONDS);
    const greeting = await readOnce();
    const write = async (writers: string, part: string[][]): Promise<LoadReport> => {
      failed.push(await load.call('open', { group: writers, port, connections: part.length }));
      const path = '/v1/intents';
      return load.call('write', { group: writers, path, bodies: part }, LIMIT_SECONDS);
    };
    const early = write('early', bodies.slice(0, HALF));
    await sleep(HEAD_START_MILLISECONDS);
    const [first, second] = await Promise.all([early, write('late', bodies.slice(HALF))]);
    // Idle connections must still be open.
    const farewell = await readOnce();
    const reports = [greeting, first, second, farewell];
    const opening = failed.map((counts) => ({ failed: counts, refused: {} }));
    const broken = [...reports, ...opening].flatMap((report) => Object.values(report.failed));
    return [
      {
        name: 'connections refused or reset, of 10,000 idle and 4,000 writing ones',
        value: broken.reduce((sum, count) => sum + count, 0),
        unit: 'connections',
        goal: { atMost: 0 },
        details: {
          listenOverflows: listenOverflows() - overflowsBefore,
          intentsCommitted: first.succeeded + second.succeeded,
          intentsSent: WRITING * INTENTS_PER_CONNECTION,
          idleAnsweredAfterwards: farewell.succeeded,
          medianWriteLatency: second.latency.median,
          ...troubles([...reports, ...opening]),
        },
      },
    ];
  } finally {
    await load.stop();
    await netd.kill('SIGTERM');
  }
}

/** Returns listen queue overflows of the whole machine since boot. */
function listenOverflows(): number {
  const [names = [], values = []] = readFileSync('/proc/net/netstat', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('TcpExt:'))
    .map((line) => line.split(' '));
  return Number(values[names.indexOf('ListenOverflows')] ?? Number.NaN);
}
