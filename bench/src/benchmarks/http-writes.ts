/** Signed intents over HTTP: one agent a connection, signed beforehand, sent by a process of its own on the same cores. */
import { beaconsByAgent, makeAgents } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { cpuResult, cpuTimeOf, cpuTimeSince, type CpuTurn } from '../cpu-time.ts';
import { openConnections, rateOf, startLoadGenerator, troubles } from '../load.ts';
import type { LoadReport } from '../load-generator.ts';
import { median, spread, yardstickDetails, YardstickTurns } from '../measure.ts';
import { startNetd } from '../netd-process.ts';
import { StateBuilder } from '../states.ts';

const CONNECTIONS = 1_000;
/** By every connection, before anything is measured. */
const WARM_UP = 4;
const TURNS = 7;
/** By every connection. */
const INTENTS_PER_TURN = 8;

export async function httpWrites(directory: string): Promise<BenchmarkResult[]> {
  const agents = makeAgents(CONNECTIONS);
  const height = await StateBuilder.build(directory, (state) => state.register(agents));
  const warmUp = beaconsByAgent(agents, WARM_UP, height);
  const turns = Array.from({ length: TURNS }, () =>
    beaconsByAgent(agents, INTENTS_PER_TURN, height),
  );
  const netd = await startNetd(directory);
  const load = startLoadGenerator();
  try {
    await openConnections(load, 'writers', { port: netd.port, connections: CONNECTIONS });
    const write = (bodies: string[][]): Promise<LoadReport> =>
      load.call('write', { group: 'writers', path: '/v1/intents', bodies });
    await write(warmUp);
    const reports: LoadReport[] = [];
    const ratios: number[] = [];
    const cpuTurns: CpuTurn[] = [];
    const yardstickTurns = new YardstickTurns();
    for (const bodies of turns) {
      const before = cpuTimeOf(netd.pid);
      const { result, yardstick } = await yardstickTurns.take(() => write(bodies));
      const cpu = cpuTimeSince(before, cpuTimeOf(netd.pid));
      reports.push(result);
      ratios.push(rateOf(result) / yardstick.perSecond);
      cpuTurns.push({ cpu, intents: CONNECTIONS * INTENTS_PER_TURN, yardstick });
    }
    return [
      {
        name: 'over HTTP: committed intents per second ÷ verifications per second of one core',
        value: median(ratios),
        unit: 'ratio',
        goal: { atLeast: 0.6 },
        details: {
          intentsPerSecond: median(reports.map(rateOf)),
          ...yardstickDetails(cpuTurns.map(({ yardstick }) => yardstick)),
          medianLatency: median(reports.map(({ latency }) => latency.median)),
          ...spread(ratios),
          ...troubles(reports),
        },
      },
      cpuResult('over HTTP', 0.9, cpuTurns),
    ];
  } finally {
    await load.stop();
    await netd.kill('SIGTERM');
  }
}
