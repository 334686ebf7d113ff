/** A cached read document over HTTP against a bare Fastify route that sends the same bytes, turn by turn. */
import { join } from 'node:path';
import { serve } from '@netd/node';
import Fastify from 'fastify';
import { makeAgents, seed } from '../agents.ts';
import { generateLoad } from '../generate-load.ts';
import { median, type Figure } from '../measure.ts';

const PATH = '/v1/agents?limit=20';
const REQUESTS = 20_000;
const CONNECTIONS = 32;
const ROUNDS = 3;

export async function cachedRead(directory: string): Promise<Figure> {
  const running = await serve({
    host: '127.0.0.1',
    port: 0,
    dataDir: join(directory, 'read'),
    idleBlockTime: 600_000,
  });
  const bare = Fastify();
  try {
    await seed(running.node, makeAgents(100));
    const bytes = Buffer.from(await (await fetch(running.url + PATH)).arrayBuffer());
    bare.get('/v1/agents', (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(bytes),
    );
    await bare.listen({ host: '127.0.0.1', port: 0 });
    const barePort = (bare.server.address() as { port: number }).port;
    const load = (port: number): Promise<number> =>
      generateLoad({ port, path: PATH, connections: CONNECTIONS, requests: REQUESTS });
    const rates: { document: number; bare: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const document = await load(Number(new URL(running.url).port));
      rates.push({ document, bare: await load(barePort) });
    }
    // The first round warms both up.
    const measured = rates.slice(1);
    return {
      name: 'cached read document over HTTP ÷ bare Fastify route with the same bytes',
      value: median(measured.map((rate) => rate.document / rate.bare)),
      unit: 'ratio',
      goal: 0.75,
      better: 'higher',
      details: {
        documentPerSecond: median(measured.map(({ document }) => document)),
        barePerSecond: median(measured.map((rate) => rate.bare)),
        bytes: bytes.length,
      },
    };
  } finally {
    await bare.close();
    await running.stop();
  }
}
