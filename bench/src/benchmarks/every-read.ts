/** Every read of the OpenAPI description on a large state: first after a block, then repeated. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@netd/protocol';
import { agentIdOf, beaconIntent, makeAgent } from '../agents.ts';
import { compareWithBareRoute, type BareComparison } from '../bare-comparison.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { getRequest, HttpConnection, postRequest } from '../http-connection.ts';
import { median } from '../measure.ts';
import { buildLargeChain } from '../large-chain.ts';
import { startNetd } from '../netd-process.ts';

const AGENTS = 100_000;
const ORDERS = 100_000;
const EVENTS = 1_000_000;
const COLD_READS = 5;
const TURNS = 3;
/** Bytes per measurement, so that documents of any size take similar time. */
const BYTES_PER_LOAD = 50_000_000;
const REQUESTS = { least: 500, most: 4_000 };

/** Streams, and reads that are not JSON. */
const NO_DOCUMENT = /^\/($|metrics|docs|downloads|llms\.txt|a2a|mcp)/;

export async function everyRead(directory: string): Promise<BenchmarkResult[]> {
  const size = { agents: AGENTS, orders: ORDERS, events: EVENTS };
  const height = await buildLargeChain(directory, size, { signs: true });
  const netd = await startNetd(directory);
  try {
    const connection = await HttpConnection.open(netd.port);
    const paths = await readPaths(connection);
    const resolve = (path: string): Promise<string> => withCheckpoint(connection, path);
    // A large state's checkpoint is written at a minute's first block after a request.
    await getDocument(connection, '/v1/state/checkpoint');
    const prober = makeAgent(PROBER);
    const cold: { path: string; milliseconds: number }[] = [];
    for (const path of paths) {
      const intent = (): string => beaconIntent(prober, height);
      cold.push({ path, milliseconds: await coldRead(connection, intent, await resolve(path)) });
    }
    const cached = await compareWithBareRoute(netd.port, paths, {
      turns: TURNS,
      requestsFor: (bytes) =>
        Math.min(REQUESTS.most, Math.max(REQUESTS.least, Math.round(BYTES_PER_LOAD / bytes))),
      resolve,
    });
    connection.close();
    return [cachedResult(cached), coldResult(cold)];
  } finally {
    await netd.kill('SIGTERM');
  }
}

/** The agent that makes blocks between reads: the last one, and the only signer. */
const PROBER = AGENTS;

/** Returns the GET paths with parameters filled in. */
async function readPaths(connection: HttpConnection): Promise<string[]> {
  const get = (path: string): Promise<JsonObject> => getDocument(connection, path);
  const { paths } = (await get('/openapi.json')) as { paths: Record<string, { get?: unknown }> };
  const certificate = await get('/v1/consensus/certificates/latest');
  const { blocks } = (await get('/v1/blocks?limit=1')) as { blocks: { height: number }[] };
  const block = await get(`/v1/blocks/${blocks[0]?.height ?? 0}`);
  const [transition] = block['transitions'] as { transitionHash: string }[];
  const values: Record<string, unknown> = {
    agentId: agentIdOf(7),
    accountId: agentIdOf(7),
    orderId: 'order-7',
    tokenId: 'tok-bench',
    certificateHash: certificate['certificateHash'],
    index: 0,
    height: 1,
    transitionHash: transition?.transitionHash,
  };
  const queries: Record<string, string> = {
    '/v1/state/chunks/{index}': `?checkpoint=${CHECKPOINT}`,
    '/v1/state/proof': `?key=agent/${agentIdOf(7)}`,
  };
  return Object.keys(paths)
    .filter((path) => paths[path]?.get !== undefined && !NO_DOCUMENT.test(path))
    .filter((path) => [...path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => name in values))
    .map(
      (path) =>
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name])) +
        (queries[path] ?? ''),
    );
}

/** Placeholder for a checkpoint hash, because only the last few are kept. */
const CHECKPOINT = '{checkpointHash}';

async function withCheckpoint(connection: HttpConnection, path: string): Promise<string> {
  if (!path.includes(CHECKPOINT)) return path;
  const document = await getDocument(connection, '/v1/state/checkpoint');
  return path.replace(CHECKPOINT, (document as { checkpointHash: string }).checkpointHash);
}

async function getDocument(connection: HttpConnection, path: string): Promise<JsonObject> {
  for (;;) {
    const { status, body } = await connection.send(getRequest(path));
    if (status === 200) return JSON.parse(body.toString()) as JsonObject;
    // A large state's first checkpoint is made in the background.
    if (status !== 503) throw new Error(`${path} answers ${status}: ${body.toString()}`);
    await sleep(250);
  }
}

/** Returns the median milliseconds of reads right after a block, when every cached document is stale. */
async function coldRead(
  connection: HttpConnection,
  nextIntent: () => string,
  path: string,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < COLD_READS; round++) {
    const written = await connection.send(postRequest('/v1/intents', nextIntent()));
    if (written.status !== 201) throw new Error(`no block: ${written.body.toString()}`);
    const startedAt = performance.now();
    const { status, body } = await connection.send(getRequest(path));
    times.push(performance.now() - startedAt);
    if (status !== 200) throw new Error(`${path} answers ${status}: ${body.toString()}`);
  }
  return median(times);
}

function cachedResult(comparisons: readonly BareComparison[]): BenchmarkResult {
  const readings = comparisons.map(({ path, turns }) => ({
    path,
    rate: median(turns.map(({ rate }) => rate)),
    ratio: median(turns.map(({ rate, bareRate }) => rate / bareRate)),
  }));
  const byRatio = readings.toSorted((a, b) => a.ratio - b.ratio);
  return {
    name: `cached reads ÷ bare Fastify routes with the same bytes, median of ${readings.length}`,
    value: median(readings.map(({ ratio }) => ratio)),
    unit: 'ratio',
    goal: { atLeast: 0.75 },
    details: {
      medianPerSecond: median(readings.map(({ rate }) => rate)),
      ...Object.fromEntries(
        byRatio.slice(0, 5).map(({ path, ratio }) => [`ratioOf ${withoutHashes(path)}`, ratio]),
      ),
    },
  };
}

function coldResult(readings: readonly { path: string; milliseconds: number }[]): BenchmarkResult {
  const slowestFirst = readings.toSorted((a, b) => b.milliseconds - a.milliseconds);
  return {
    name: `slowest first read after a block, of ${readings.length}`,
    value: slowestFirst[0]?.milliseconds ?? Number.NaN,
    unit: 'ms',
    goal: { atMost: 50 },
    details: {
      median: median(readings.map(({ milliseconds }) => milliseconds)),
      ...Object.fromEntries(
        slowestFirst
          .slice(0, 5)
          .map(({ path, milliseconds }) => [withoutHashes(path), milliseconds]),
      ),
    },
  };
}

/** Makes reports comparable. */
function withoutHashes(path: string): string {
  return path.replaceAll(/[0-9a-f]{64}/g, '…');
}
