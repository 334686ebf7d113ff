/** Latency from request to 201 on an idle node, for intents further apart than blockTime. */
import { setTimeout as sleep } from 'node:timers/promises';
import { at, beaconIntent, makeAgents } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { HttpConnection, postRequest } from '../http-connection.ts';
import { median } from '../measure.ts';
import { startNetd } from '../netd-process.ts';
import { StateBuilder } from '../states.ts';

const ROUNDS = 40;
/** More than the node's blockTime of 100 ms. */
const PAUSE_MILLISECONDS = 130;

export async function idleLatency(directory: string): Promise<BenchmarkResult[]> {
  const agents = makeAgents(10);
  const height = await StateBuilder.build(directory, (state) => state.register(agents));
  const netd = await startNetd(directory);
  try {
    const connection = await HttpConnection.open(netd.port);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(PAUSE_MILLISECONDS + (round % 7));
      const request = postRequest('/v1/intents', beaconIntent(at(agents, round), height));
      const startedAt = performance.now();
      const { status, body } = await connection.send(request);
      if (status !== 201) throw new Error(`status ${status}: ${body.toString()}`);
      times.push(performance.now() - startedAt);
    }
    connection.close();
    return [
      {
        name: 'one intent on an idle node, median from request to 201',
        value: median(times),
        unit: 'ms',
        goal: { atMost: 15 },
        details: { fastest: Math.min(...times), slowest: Math.max(...times), rounds: times.length },
      },
    ];
  } finally {
    await netd.kill('SIGTERM');
  }
}
