/** How long `/livez` takes beside floods of distinct pages and pictures of links. */
import { setTimeout as sleep } from 'node:timers/promises';
import { agentIdOf, makeAgents } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { getRequest, HttpConnection } from '../http-connection.ts';
import { openConnections, startLoadGenerator } from '../load.ts';
import { quantile } from '../measure.ts';
import { startNetd } from '../netd-process.ts';
import { StateBuilder } from '../states.ts';

const REQUESTS = 4_000;
const CONNECTIONS = 64;
const TURNS = 3;
/** Milliseconds between two probes. */
const PAUSE = 5;
/** Milliseconds without a flood before each one. */
const QUIET = 1_500;

const PICTURES = '/explorer-cards/agents/agent-{n}.png';
const PAGES = `/agents/${agentIdOf(0)}?{n}`;
/** A network of its own for each request. */
const ADDRESSES = '2001:db8:{n}::1';

const FLOODS: Readonly<Record<string, { path: string; from?: string }>> = {
  pictures: { path: PICTURES },
  'pictures from many addresses': { path: PICTURES, from: ADDRESSES },
  'pictures of nothing': { path: '/explorer-cards/work/none-{n}.png' },
  pages: { path: PAGES },
  'pages from many addresses': { path: PAGES, from: ADDRESSES },
  'pages of nothing': { path: '/work/none-{n}' },
};

export async function pageFloods(directory: string): Promise<BenchmarkResult[]> {
  await StateBuilder.build(directory, (state) => state.register(makeAgents(REQUESTS)));
  const netd = await startNetd(directory, { environment: { NET_TRUST_PROXY: '1' } });
  const flooder = startLoadGenerator();
  try {
    await openConnections(flooder, 'flood', { port: netd.port, connections: CONNECTIONS });
    const connection = await HttpConnection.open(netd.port);
    const results: BenchmarkResult[] = [];
    for (const [name, flood] of Object.entries(FLOODS)) {
      const [quiet, flooded]: [number[], number[]] = [[], []];
      for (let turn = 0; turn < TURNS; turn++) {
        quiet.push(...(await probe(connection, sleep(QUIET))));
        const request = { group: 'flood', requests: REQUESTS, accept: 'text/html', ...flood };
        flooded.push(...(await probe(connection, flooder.call('read', request))));
      }
      results.push(resultOf(name, { quiet, flooded }));
    }
    connection.close();
    return results;
  } finally {
    await flooder.stop();
    await netd.kill('SIGTERM');
  }
}

/** Returns milliseconds of each answer of `/livez` until the promise is settled. */
async function probe(connection: HttpConnection, until: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const over = new AbortController();
  const ended = until.finally(() => over.abort());
  while (!over.signal.aborted) {
    const began = performance.now();
    await connection.send(getRequest('/livez'));
    times.push(performance.now() - began);
    await sleep(PAUSE);
  }
  await ended;
  return times;
}

function resultOf(
  name: string,
  { quiet, flooded }: Record<'quiet' | 'flooded', readonly number[]>,
): BenchmarkResult {
  return {
    name: `/livez beside a flood of ${name}, 99th percentile`,
    value: quantile(flooded, 0.99),
    unit: 'ms',
    goal: { atMost: 50 },
    details: {
      median: quantile(flooded, 0.5),
      slowest: Math.max(...flooded),
      quietP99: quantile(quiet, 0.99),
      quietMedian: quantile(quiet, 0.5),
      probes: flooded.length,
    },
  };
}
