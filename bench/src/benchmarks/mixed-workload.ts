/** Committed mixed intents per second in process, with few and many work orders in the state. */
import { join } from 'node:path';
import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { at, makeAgents, type BenchAgent, type Draft } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { comparison, Contender } from '../contender.ts';
import { median, spread, YardstickTurns } from '../measure.ts';
import { MixedLoad, orderPayload } from '../mixed-load.ts';
import { StateBuilder } from '../states.ts';

const AGENTS = 1_000;
const FEW = 1_000;
const MANY = 100_000;
const WARM_UP = 4_000;
const TURNS = 5;
const INTENTS_PER_TURN = 6_000;
/** In unet; all agents together stay below the faucet's daily limit. */
const PURSE = 500 * UNET_PER_NET;

export async function mixedWorkload(directory: string): Promise<BenchmarkResult[]> {
  const agents = makeAgents(AGENTS);
  const rivals: { contender: Contender; load: MixedLoad }[] = [];
  try {
    for (const orders of [FEW, MANY]) {
      const dataDir = join(directory, String(orders));
      const height = await StateBuilder.build(dataDir, (state) => provide(state, agents, orders));
      for (const agent of agents) agent.sequence = 0;
      const load = new MixedLoad(agents, height);
      const contender = await Contender.open(dataDir, load.intents(WARM_UP));
      rivals.push({ contender, load });
    }
    const turns = Array.from({ length: TURNS }, () =>
      rivals.map(({ contender, load }) => ({
        contender,
        intents: load.intents(INTENTS_PER_TURN),
      })),
    );
    const yardstickTurns = new YardstickTurns();
    for (const { contender, intents } of turns.flat()) {
      await contender.takeTurn(yardstickTurns, intents);
    }
    const [few, many] = rivals.map(({ contender }) => contender);
    if (!few || !many) throw new Error('no contender took a turn');
    return resultsOf(few, many);
  } finally {
    for (const { contender } of rivals) await contender.close();
  }
}

function resultsOf(few: Contender, many: Contender): BenchmarkResult[] {
  const ratios = comparison(many, few);
  return [
    {
      name: 'mixed workload in process ÷ verifications per second of one core',
      value: median(few.ratios),
      unit: 'ratio',
      goal: { atLeast: 0.45 },
      details: few.details,
    },
    {
      name: 'mixed workload with 100,000 orders in state ÷ with 1,000',
      value: median(ratios),
      unit: 'ratio',
      goal: { atLeast: 0.75 },
      details: { ...many.details, ...spread(ratios) },
    },
  ];
}

/**
 * Adds agents with capabilities and money, and open orders.
 * @param terms further members of every order
 */
export async function provide(
  state: StateBuilder,
  agents: BenchAgent[],
  orderCount: number,
  terms: JsonObject = {},
): Promise<void> {
  await state.register(agents);
  const executeForEach = (
    count: number,
    draftOf: (index: number, agent: BenchAgent) => Draft,
  ): Promise<void> =>
    state.execute(count, (index) => {
      const agent = at(agents, index);
      return { agent, draft: draftOf(index, agent) };
    });
  await executeForEach(agents.length, (_, { agentId }) => {
    const payload: JsonObject = { agentId, actions: ['faucet', 'transfer', 'createWorkOrder'] };
    return { nonce: 'extend', action: 'extendAgentCapabilities', payload };
  });
  await executeForEach(agents.length, () => ({
    nonce: 'purse',
    action: 'faucet',
    payload: { amount: PURSE },
  }));
  await executeForEach(orderCount, (index) => ({
    nonce: `order-${index}`,
    action: 'createWorkOrder',
    payload: { ...orderPayload(`seed-${index}`), ...terms },
  }));
}
