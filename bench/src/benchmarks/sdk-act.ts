/** What `act` of the SDK costs beside the same intent signed by hand and sent by fetch, turn by turn against one node. */
import { AgentKey, NetClient } from '@netd/sdk';
import { beaconIntent, beaconPayload, makeAgents, type BenchAgent } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { median, spread } from '../measure.ts';
import { startNetd } from '../netd-process.ts';
import { StateBuilder } from '../states.ts';

const TURNS = 7;
const ACTS = 40;

interface Cost {
  /** Microseconds for one act, of all threads of this process. */
  cpu: number;
  wall: number;
}

export async function sdkAct(directory: string): Promise<BenchmarkResult[]> {
  const [bare, ours] = makeAgents(2) as [BenchAgent, BenchAgent];
  const height = await StateBuilder.build(directory, (state) => state.register([bare, ours]));
  // Else each act waits for the block time, and the wait is what is compared.
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
 * One after the other, as a program does that needs each receipt, and the two in turns: a request meets a node that still
 * finishes the block of the one before, and in a run of its own each way would meet itself alone.
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
    // The first one alternates, so that the order favours neither.
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
