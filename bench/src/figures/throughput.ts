/** Committed signed intents per second in process, with a small and a large state. */
import { join } from 'node:path';
import { NetNode } from '@netd/node';
import { beaconIntents, makeAgents, seed } from '../agents.ts';
import { submitAll, UNBOUNDED } from '../in-process-load.ts';
import { besideYardstick, collectGarbage, type Figure } from '../measure.ts';

const SMALL = 1_000;
const LARGE = 100_000;
const WARM_UP = 4_000;
const INTENTS = 30_000;

/** The data directory of the large state stays behind for the figure about memory. */
export async function throughput(directory: string): Promise<Figure[]> {
  const small = await run(join(directory, 'small'), SMALL);
  const large = await run(join(directory, 'large'), LARGE);
  return [
    {
      name: 'in process: committed intents per second ÷ verifications per second of one core',
      value: small.rate / small.yardstick,
      unit: 'ratio',
      goal: 0.6,
      better: 'higher',
      details: { intentsPerSecond: small.rate, verificationsPerSecond: small.yardstick },
    },
    {
      name: 'throughput with 100,000 agents ÷ with 1,000',
      value: large.rate / large.yardstick / (small.rate / small.yardstick),
      unit: 'ratio',
      goal: 0.75,
      better: 'higher',
      details: {
        intentsPerSecond: large.rate,
        verificationsPerSecond: large.yardstick,
        ratioWith100000: large.rate / large.yardstick,
      },
    },
  ];
}

async function run(
  dataDir: string,
  agentCount: number,
): Promise<{ rate: number; yardstick: number }> {
  const node = await NetNode.start({ dataDir, admission: UNBOUNDED });
  try {
    const intents = await prepare(node, agentCount);
    // The keys of the load are not the node's to carry: what is measured starts from a clean heap.
    collectGarbage();
    return await besideYardstick(() => submitAll(node, intents));
  } finally {
    await node.stop();
  }
}

/** Fills the state, warms the node up, and signs what is to be measured: only the bytes of that stay in memory. */
async function prepare(node: NetNode, agentCount: number): Promise<Buffer[]> {
  const agents = makeAgents(agentCount);
  await seed(node, agents);
  await submitAll(node, beaconIntents(agents, WARM_UP, node.chain.height));
  // Spread over all agents: every intent touches another part of the state.
  const stride = Math.max(1, Math.floor(agentCount / INTENTS));
  const actors = agents.filter((_, index) => index % stride === 0);
  return beaconIntents(actors, INTENTS, node.chain.height);
}
