/** Every read that the OpenAPI description lists, on a large state: the first time after a block, and again and again. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSubmission, type Submission } from '@netd/ledger';
import { serve, type NetNode, type RunningNode } from '@netd/node';
import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import Fastify from 'fastify';
import {
  at,
  beaconIntent,
  beaconPayload,
  makeAgents,
  seed,
  seedAll,
  signedIntent,
} from '../agents.ts';
import type { BenchAgent } from '../agents.ts';
import { generateLoad } from '../generate-load.ts';
import { collectGarbage, median, type Figure } from '../measure.ts';
import { orderPayload } from '../mixed-load.ts';

const AGENTS = 100_000;
const ORDERS = 100_000;
const EVENTS = 1_000_000;
/** Each has less than the 1,000 orders under way that the ledger allows. */
const REQUESTERS = 200;
/** In unet; all requesters together stay within what the faucet gives a day. */
const PURSE = 500 * UNET_PER_NET;

const CONNECTIONS = 32;
const COLD_READS = 5;
/** Bytes to send per measurement, so that small and large documents take about as long. */
const BYTES_PER_LOAD = 100_000_000;
const REQUESTS = { least: 1_000, most: 6_000 };

/** Reads that are no JSON document, or a stream. */
const NO_DOCUMENT = /^\/($|metrics|docs|downloads|llms\.txt|a2a|mcp)/;

interface Reading {
  path: string;
  bytes: Buffer;
  /** Milliseconds of the slowest of a few reads, each the first after a block. */
  cold: number;
  rate: number;
  /** Of the bare route with the same bytes. */
  bareRate: number;
}

export async function everyRead(directory: string): Promise<Figure[]> {
  const running = await serve({
    host: '127.0.0.1',
    port: 0,
    dataDir: join(directory, 'reads'),
    idleBlockTime: 600_000,
    admission: { total: 1_000_000, perAddress: 1_000_000 },
  });
  try {
    const prober = await populate(running.node);
    collectGarbage();
    const paths = await readPaths(running);
    const readings: Reading[] = [];
    for (const path of paths) readings.push(await coldReading(running, prober, path));
    await measureCached(running, readings);
    return figuresOf(readings);
  } finally {
    await running.stop();
  }
}

/** @returns an agent to make blocks with */
async function populate(node: NetNode): Promise<BenchAgent> {
  const agents = makeAgents(AGENTS);
  await seed(node, agents);
  const { height } = node.chain;
  const seeded = (
    index: number,
    nonce: string,
    action: string,
    payload: JsonObject,
  ): Submission => {
    const agent = at(agents, index);
    const intent = signedIntent(agent, { nonce, action, payload }, height);
    return makeSubmission('intent', intent, agent.publicKey);
  };
  const requester = (index: number): number => index % REQUESTERS;
  await seedAll(node, REQUESTERS, (index) => {
    const actions = ['faucet', 'createWorkOrder', 'createToken'];
    const payload = { agentId: at(agents, index).agentId, actions };
    return seeded(index, 'extend', 'extendAgentCapabilities', payload);
  });
  await seedAll(node, REQUESTERS, (index) => seeded(index, 'purse', 'faucet', { amount: PURSE }));
  await seedAll(node, 1, (index) =>
    seeded(index, 'token', 'createToken', {
      tokenId: 'tok-bench',
      name: 'Bench',
      symbol: 'BNCH',
      decimals: 0,
      supplyCap: 1_000,
      initialSupply: 1_000,
      mintAuthority: at(agents, index).agentId,
    }),
  );
  // The agent that the reads ask about has everything that can be asked about.
  await seedAll(node, ORDERS, (index) =>
    seeded(requester(index), `order-${index}`, 'createWorkOrder', orderPayload(`order-${index}`)),
  );
  await seedAll(node, EVENTS - AGENTS - ORDERS, (index) =>
    seeded(index, `beacon-${index}`, 'publishBeacon', beaconPayload(at(agents, index), height)),
  );
  return at(agents, 0);
}

/** The GET operations with their parameters filled in. */
async function readPaths({ url }: RunningNode): Promise<string[]> {
  const get = async (path: string): Promise<JsonObject> => {
    for (;;) {
      const response = await fetch(url + path);
      if (response.ok) return (await response.json()) as JsonObject;
      // The first checkpoint of a large state is made in the background.
      if (response.status !== 503) throw new Error(`${path} answers ${response.status}`);
      await sleep(250);
    }
  };
  const { paths } = (await get('/openapi.json')) as { paths: Record<string, { get?: unknown }> };
  const certificate = await get('/v1/consensus/certificates/latest');
  const { checkpointHash } = (await get('/v1/state/checkpoint')) as { checkpointHash: string };
  const { blocks } = (await get('/v1/blocks?limit=1')) as { blocks: { height: number }[] };
  const block = await get(`/v1/blocks/${blocks[0]?.height ?? 0}`);
  const [transition] = block['transitions'] as { transitionHash: string }[];
  const values: Record<string, unknown> = {
    agentId: 'agent-7',
    accountId: 'agent-7',
    orderId: 'order-7',
    tokenId: 'tok-bench',
    certificateHash: certificate['certificateHash'],
    index: 0,
    height: 1,
    transitionHash: transition?.transitionHash,
  };
  const queries: Record<string, string> = {
    '/v1/state/chunks/{index}': `?checkpoint=${checkpointHash}`,
    '/v1/state/proof': '?key=agent/agent-7',
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

async function coldReading(
  { url, node }: RunningNode,
  prober: BenchAgent,
  path: string,
): Promise<Reading> {
  const times: number[] = [];
  let bytes = Buffer.alloc(0);
  for (let round = 0; round < COLD_READS; round++) {
    // A block of its own makes every document of the height before out of date.
    await node.admission.submit('intent', beaconIntent(prober, node.chain.height), 'bench');
    const startedAt = performance.now();
    const response = await fetch(url + path);
    bytes = Buffer.from(await response.arrayBuffer());
    times.push(performance.now() - startedAt);
    if (response.status !== 200)
      throw new Error(`${path} answers ${response.status}: ${bytes.toString()}`);
  }
  return { path, bytes, cold: median(times), rate: 0, bareRate: 0 };
}

/** Requests per second of each path and of a bare route with the same bytes, turn by turn. */
async function measureCached({ url }: RunningNode, readings: Reading[]): Promise<void> {
  const bare = Fastify();
  for (const [index, { bytes }] of readings.entries()) {
    bare.get(`/${index}`, (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(bytes),
    );
  }
  await bare.listen({ host: '127.0.0.1', port: 0 });
  try {
    const barePort = (bare.server.address() as { port: number }).port;
    const port = Number(new URL(url).port);
    for (const [index, reading] of readings.entries()) {
      const { least, most } = REQUESTS;
      const wanted = Math.round(BYTES_PER_LOAD / reading.bytes.length);
      const requests = Math.min(most, Math.max(least, wanted));
      const load = { connections: CONNECTIONS, requests };
      // The first of two turns warms both up.
      for (let turn = 0; turn < 2; turn++) {
        reading.rate = await generateLoad({ port, path: reading.path, ...load });
        reading.bareRate = await generateLoad({ port: barePort, path: `/${index}`, ...load });
      }
    }
  } finally {
    await bare.close();
  }
}

function figuresOf(readings: Reading[]): Figure[] {
  const byRatio = readings.toSorted((a, b) => a.rate / a.bareRate - b.rate / b.bareRate);
  const byCold = readings.toSorted((a, b) => b.cold - a.cold);
  const [slowest, coldest] = [byRatio[0], byCold[0]];
  if (!slowest || !coldest) throw new Error('there is nothing to read');
  return [
    {
      name: `cached reads ÷ bare Fastify routes with the same bytes, median of ${readings.length}`,
      value: median(readings.map(({ rate, bareRate }) => rate / bareRate)),
      unit: 'ratio',
      goal: 0.75,
      better: 'higher',
      details: {
        medianPerSecond: median(readings.map(({ rate }) => rate)),
        [`ratioOfSlowest ${slowest.path}`]: slowest.rate / slowest.bareRate,
        slowestPerSecond: Math.min(...readings.map(({ rate }) => rate)),
      },
    },
    {
      name: `slowest first read after a block, of ${readings.length}: ${coldest.path}`,
      value: coldest.cold,
      unit: 'ms',
      goal: 50,
      better: 'lower',
      details: {
        median: median(readings.map(({ cold }) => cold)),
        ...Object.fromEntries(byCold.slice(1, 5).map(({ path, cold }) => [path, cold])),
      },
    },
  ];
}
