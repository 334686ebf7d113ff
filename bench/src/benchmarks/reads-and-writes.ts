/** Read rate and write latency, each alone and both at once, in alternating turns. */
import { beaconsByAgent, makeAgents } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { openConnections, rateOf, startLoadGenerator, troubles, type Load } from '../load.ts';
import type { LoadReport } from '../load-generator.ts';
import { median, spread } from '../measure.ts';
import { startNetd } from '../netd-process.ts';
import { StateBuilder } from '../states.ts';

const WRITERS = 200;
/** Per writer and load. */
const INTENTS = 12;
const READERS = 32;
const TURNS = 5;
const READS = 15_000;
const PATH = '/v1/agents?limit=20';

interface Turn {
  readsAlone: LoadReport;
  writesAlone: LoadReport;
  reads: LoadReport;
  writes: LoadReport;
}

export async function readsAndWrites(directory: string): Promise<BenchmarkResult[]> {
  const agents = makeAgents(WRITERS);
  const height = await StateBuilder.build(directory, (state) => state.register(agents));
  // The first turn warms up.
  const loads = Array.from({ length: TURNS + 1 }, () => ({
    alone: beaconsByAgent(agents, INTENTS, height),
    together: beaconsByAgent(agents, INTENTS, height),
  }));
  const netd = await startNetd(directory);
  // Separate processes, so that the client's reads do not delay its writes.
  const [reader, writer] = [startLoadGenerator(), startLoadGenerator()];
  try {
    await openConnections(reader, 'readers', { port: netd.port, connections: READERS });
    await openConnections(writer, 'writers', { port: netd.port, connections: WRITERS });
    const turns: Turn[] = [];
    for (const { alone, together } of loads) {
      const readsAlone = await read(reader, READS);
      const writesAlone = await write(writer, alone);
      const reading = read(reader);
      const writes = await write(writer, together);
      await reader.call('end', { group: 'readers' });
      turns.push({ readsAlone, writesAlone, reads: await reading, writes });
    }
    return resultsOf(turns.slice(1));
  } finally {
    await reader.stop();
    await writer.stop();
    await netd.kill('SIGTERM');
  }
}

function read(load: Load, requests?: number): Promise<LoadReport> {
  return load.call('read', {
    group: 'readers',
    path: PATH,
    ...(requests === undefined ? {} : { requests }),
  });
}

function write(load: Load, bodies: string[][]): Promise<LoadReport> {
  return load.call('write', { group: 'writers', path: '/v1/intents', bodies });
}

function resultsOf(turns: readonly Turn[]): BenchmarkResult[] {
  const readRatios = turns.map(({ reads, readsAlone }) => rateOf(reads) / rateOf(readsAlone));
  const latencyRatios = turns.map(
    ({ writes, writesAlone }) => writes.latency.median / writesAlone.latency.median,
  );
  return [
    {
      name: 'cached reads per second while 200 connections write ÷ alone',
      value: median(readRatios),
      unit: 'ratio',
      goal: null,
      details: {
        readsPerSecond: median(turns.map(({ reads }) => rateOf(reads))),
        readsPerSecondAlone: median(turns.map(({ readsAlone }) => rateOf(readsAlone))),
        ...spread(readRatios),
        ...troubles(turns.flatMap(({ reads, readsAlone }) => [reads, readsAlone])),
      },
    },
    {
      name: 'write latency while 32 connections read without a pause ÷ alone, medians',
      value: median(latencyRatios),
      unit: 'ratio',
      goal: null,
      details: {
        milliseconds: median(turns.map(({ writes }) => writes.latency.median)),
        millisecondsAlone: median(turns.map(({ writesAlone }) => writesAlone.latency.median)),
        p99: median(turns.map(({ writes }) => writes.latency.p99)),
        p99Alone: median(turns.map(({ writesAlone }) => writesAlone.latency.p99)),
        writesPerSecond: median(turns.map(({ writes }) => rateOf(writes))),
        writesPerSecondAlone: median(turns.map(({ writesAlone }) => rateOf(writesAlone))),
        ...spread(latencyRatios),
        ...troubles(turns.flatMap(({ writes, writesAlone }) => [writes, writesAlone])),
      },
    },
  ];
}
