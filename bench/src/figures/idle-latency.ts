/** One intent on an idle node, intents spaced wider than blockTime: from request to 201. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '@netd/node';
import { beaconIntent, makeAgents, seed } from '../agents.ts';
import { median, type Figure } from '../measure.ts';

const ROUNDS = 40;

export async function idleLatency(directory: string): Promise<Figure> {
  const running = await serve({ host: '127.0.0.1', port: 0, dataDir: join(directory, 'idle') });
  try {
    const agents = makeAgents(10);
    await seed(running.node, agents);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(running.node.blockTime + 30 + (round % 7));
      const agent = agents[round % agents.length];
      if (!agent) break;
      const body = beaconIntent(agent, running.node.chain.height);
      const startedAt = performance.now();
      const response = await fetch(`${running.url}/v1/intents`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await response.arrayBuffer();
      if (response.status !== 201) throw new Error(`status ${response.status}`);
      times.push(performance.now() - startedAt);
    }
    return {
      name: 'one intent on an idle node, median from request to 201',
      value: median(times),
      unit: 'ms',
      goal: 15,
      better: 'lower',
      details: { fastest: Math.min(...times), slowest: Math.max(...times), rounds: times.length },
    };
  } finally {
    await running.stop();
  }
}
