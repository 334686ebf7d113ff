/** The same over HTTP, with the load generator in a process of its own on the same cores. */
import { join } from 'node:path';
import { serve } from '@netd/node';
import { beaconIntents, makeAgents, seed } from '../agents.ts';
import { generateLoad } from '../generate-load.ts';
import { UNBOUNDED } from '../in-process-load.ts';
import { besideYardstick, type Figure } from '../measure.ts';

const AGENTS = 1_000;
const INTENTS = 20_000;
const CONNECTIONS = 1_000;

export async function httpWrites(directory: string): Promise<Figure> {
  const running = await serve({
    host: '127.0.0.1',
    port: 0,
    dataDir: join(directory, 'http'),
    admission: UNBOUNDED,
  });
  try {
    const agents = makeAgents(AGENTS);
    await seed(running.node, agents);
    const port = Number(new URL(running.url).port);
    const load = (count: number): Promise<number> =>
      generateLoad({
        port,
        path: '/v1/intents',
        connections: CONNECTIONS,
        bodies: beaconIntents(agents, count, running.node.chain.height),
      });
    await load(4_000);
    const { rate, yardstick } = await besideYardstick(() => load(INTENTS));
    return {
      name: 'over HTTP: committed intents per second ÷ verifications per second of one core',
      value: rate / yardstick,
      unit: 'ratio',
      goal: 0.3,
      better: 'higher',
      details: { intentsPerSecond: rate, verificationsPerSecond: yardstick },
    };
  } finally {
    await running.stop();
  }
}
