/** A mix of what agents do, committed per second in process, with few and with many work orders in state. */
import { join } from 'node:path';
import { makeSubmission, type Submission } from '@netd/ledger';
import { NetNode } from '@netd/node';
import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { at, makeAgents, seed, seedAll, signedIntent, type BenchAgent } from '../agents.ts';
import { submitAll, UNBOUNDED } from '../in-process-load.ts';
import { besideYardstick, collectGarbage, type Figure } from '../measure.ts';
import { MixedLoad, orderPayload } from '../mixed-load.ts';

const AGENTS = 1_000;
const FEW = 1_000;
const MANY = 100_000;
const WARM_UP = 4_000;
const INTENTS = 30_000;
/** In unet; all agents together stay within what the faucet gives a day. */
const PURSE = 500 * UNET_PER_NET;

export async function mixedWorkload(directory: string): Promise<Figure[]> {
  const few = await run(join(directory, 'few-orders'), FEW);
  const many = await run(join(directory, 'many-orders'), MANY);
  return [
    {
      name: 'mixed workload in process ÷ verifications per second of one core',
      value: few.rate / few.yardstick,
      unit: 'ratio',
      goal: 0.45,
      better: 'higher',
      details: { intentsPerSecond: few.rate, verificationsPerSecond: few.yardstick },
    },
    {
      name: 'mixed workload with 100,000 orders in state ÷ with 1,000',
      value: many.rate / many.yardstick / (few.rate / few.yardstick),
      unit: 'ratio',
      goal: 0.75,
      better: 'higher',
      details: {
        intentsPerSecond: many.rate,
        verificationsPerSecond: many.yardstick,
        ratioWith100000: many.rate / many.yardstick,
      },
    },
  ];
}

async function run(
  dataDir: string,
  orderCount: number,
): Promise<{ rate: number; yardstick: number }> {
  const node = await NetNode.start({ dataDir, admission: UNBOUNDED });
  try {
    const intents = await prepare(node, orderCount);
    collectGarbage();
    return await besideYardstick(() => submitAll(node, intents));
  } finally {
    await node.stop();
  }
}

/** Fills the state, warms the node up, and signs what is to be measured: only the bytes of that stay in memory. */
async function prepare(node: NetNode, orderCount: number): Promise<Buffer[]> {
  const agents = makeAgents(AGENTS);
  await seed(node, agents);
  await provide(node, agents, orderCount);
  const load = new MixedLoad(agents, node.chain.height);
  await submitAll(node, load.intents(WARM_UP));
  return load.intents(INTENTS);
}

/** Capabilities and money for all, and open orders as others have left them. */
async function provide(node: NetNode, agents: BenchAgent[], orderCount: number): Promise<void> {
  const { height } = node.chain;
  const seeded = (
    nonce: string,
    agent: BenchAgent,
    action: string,
    payload: JsonObject,
  ): Submission =>
    makeSubmission(
      'intent',
      signedIntent(agent, { nonce, action, payload }, height),
      agent.publicKey,
    );
  await seedAll(node, agents.length, (index) => {
    const agent = at(agents, index);
    const actions = ['faucet', 'transfer', 'createWorkOrder'];
    const payload = { agentId: agent.agentId, actions };
    return seeded('extend', agent, 'extendAgentCapabilities', payload);
  });
  await seedAll(node, agents.length, (index) =>
    seeded('purse', at(agents, index), 'faucet', { amount: PURSE }),
  );
  await seedAll(node, orderCount, (index) =>
    seeded(`order-${index}`, at(agents, index), 'createWorkOrder', orderPayload(`seed-${index}`)),
  );
}
