/** The cost of the SDK's `act` against signing and fetching by hand, in alternating turns on one node. */
import { AgentKey, NetClient } from '@netd/sdk';
import { beaconIntent, beaconPayload, makeAgents, type BenchAgent } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { median, spread } from '../measure.ts';
import { startNetd } from '../netd-process.ts';
import { StateBuilder } from '../states.ts';

const TURNS = 7;
const ACTS = 40;

interface Cost {
  /** Microseconds per act, over all threads of this process. */
  cpu: number;
  wall: number;
}

export async function sdkAct(directory: string): Promise<BenchmarkResult[]> {
  const [bare, ours] = makeAgents(2) as [BenchAgent, BenchAgent];
  const height = await StateBuilder.build(directory, (state) => state.register([bare, ours]));
  // Otherwise waits for the block time would dominate.
  const netd = await startNetd(directory, { blockTime: 1 });
  try {
    const url = `http://127.0.0.1:${netd.port}`;
    const privateKey = ours.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const key = await AgentKey.fromPem({ privateKey, publicKey: ours.publicKey });
    const client = new NetClient({ url, actor: { actorId: ours.agentId, key } });
    const byHand = async (): Promise<void> => {
      const answer = await fetch(`${url}/v1/intents`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: beaconIntent(bare, height),
      });
      const text = await answer.text();
      if (answer.status !== 201) throw new Error(`status ${answer.status}: ${text}`);
      JSON.parse(text);
    };
    const bySdk = async (): Promise<void> => {
      await client.act('publishBeacon', beaconPayload(ours, height) as never);
    };
    const turns: { sdk: Cost; bare: Cost }[] = [];
    for (let turn = 0; turn <= TURNS; turn++) {
      const costs = await costsOf(bySdk, byHand);
      if (turn > 0) turns.push(costs);
    }
    const result = (name: string, unit: keyof Cost): BenchmarkResult => {
      const ratios = turns.map(({ sdk, bare: alone }) => sdk[unit] / alone[unit]);
      return {
        name,
        value: median(ratios),
        unit: 'ratio',
        goal: { atMost: 1.5 },
        details: {
          sdkMicroseconds: median(turns.map(({ sdk }) => sdk[unit])),
          bareMicroseconds: median(turns.map(({ bare: alone }) => alone[unit])),
          ...spread(ratios),
        },
      };
    };
    return [
      result('act of the SDK ÷ a bare signed request: CPU time of the caller', 'cpu'),
      result('act of the SDK ÷ a bare signed request: time to the receipt', 'wall'),
    ];
  } finally {
    await netd.kill('SIGTERM');
  }
}

/**
 * Sends sequentially, as a program that needs each receipt, and alternates both ways. A request may meet a node
 * still finishing the last block, so separate runs would not be comparable.
 */
async function costsOf(
  sdk: () => Promise<void>,
  bare: () => Promise<void>,
): Promise<{ sdk: Cost; bare: Cost }> {
  const costs = { sdk: { cpu: 0, wall: 0 }, bare: { cpu: 0, wall: 0 } };
  const ways = [
    [costs.sdk, sdk],
    [costs.bare, bare],
  ] as const;
  for (let i = 0; i < ACTS; i++) {
    // Alternates the order, to favor neither.
    for (const [cost, act] of i % 2 === 0 ? ways : ways.toReversed()) await addCost(cost, act);
  }
  return costs;
}

async function addCost(cost: Cost, act: () => Promise<void>): Promise<void> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await act();
  cost.wall += ((performance.now() - startedAt) * 1_000) / ACTS;
  const { user, system } = process.cpuUsage(cpuBefore);
  cost.cpu += (user + system) / ACTS;
}
