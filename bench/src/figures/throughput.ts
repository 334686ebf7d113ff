/** Committed signed intents per second in process, with a small and a large state, turn by turn. */
import { join } from 'node:path';
import { NetNode } from '@netd/node';
import { beaconIntents, makeAgents, seed } from '../agents.ts';
import { submitAll, UNBOUNDED } from '../in-process-load.ts';
import { besideYardstick, collectGarbage, median, type Figure } from '../measure.ts';

const SMALL = 1_000;
const LARGE = 100_000;
const WARM_UP = 4_000;
/** The machine is shared: one turn may fall on a bad moment of it, most do not. */
const TURNS = 5;
const INTENTS_PER_TURN = 12_000;

/** The data directory of the large state stays behind for the figure about memory. */
export async function throughput(directory: string): Promise<Figure[]> {
  const small = await Contender.open(join(directory, 'small'), SMALL);
  const large = await Contender.open(join(directory, 'large'), LARGE);
  try {
    for (let turn = 0; turn < TURNS; turn++) {
      await small.takeTurn();
      await large.takeTurn();
    }
  } finally {
    await small.close();
    await large.close();
  }
  return [
    {
      name: 'in process: committed intents per second ÷ verifications per second of one core',
      value: median(small.ratios),
      unit: 'ratio',
      goal: 0.6,
      better: 'higher',
      details: small.details,
    },
    {
      name: 'throughput with 100,000 agents ÷ with 1,000',
      value: median(large.ratios.map((ratio, turn) => ratio / (small.ratios[turn] ?? 0))),
      unit: 'ratio',
      goal: 0.75,
      better: 'higher',
      details: { ...large.details, ratioWith100000: median(large.ratios) },
    },
  ];
}

/** A node with a state of its own size, and what it has to do in each turn. */
class Contender {
  /** Of each turn: intents per second ÷ verifications per second. */
  readonly ratios: number[] = [];
  private readonly rates: number[] = [];
  private readonly yardsticks: number[] = [];
  private readonly node: NetNode;
  private readonly turns: Buffer[][];

  private constructor(node: NetNode, turns: Buffer[][]) {
    this.node = node;
    this.turns = turns;
  }

  /** Fills the state, warms the node up, and signs what is to be measured: only the bytes of that stay in memory. */
  static async open(dataDir: string, agentCount: number): Promise<Contender> {
    const node = await NetNode.start({ dataDir, admission: UNBOUNDED });
    const agents = makeAgents(agentCount);
    await seed(node, agents);
    await submitAll(node, beaconIntents(agents, WARM_UP, node.chain.height));
    // Spread over all agents: every intent touches another part of the state.
    const count = TURNS * INTENTS_PER_TURN;
    const stride = Math.max(1, Math.floor(agentCount / count));
    const actors = agents.filter((_, index) => index % stride === 0);
    const intents = beaconIntents(actors, count, node.chain.height);
    const turns = Array.from({ length: TURNS }, (_, turn) =>
      intents.slice(turn * INTENTS_PER_TURN, (turn + 1) * INTENTS_PER_TURN),
    );
    return new Contender(node, turns);
  }

  async takeTurn(): Promise<void> {
    const intents = this.turns.shift() ?? [];
    // The keys of the load are not the node's to carry: what is measured starts from a clean heap.
    collectGarbage();
    const { rate, yardstick } = await besideYardstick(() => submitAll(this.node, intents));
    this.rates.push(rate);
    this.yardsticks.push(yardstick);
    this.ratios.push(rate / yardstick);
  }

  get details(): Record<string, number> {
    return {
      intentsPerSecond: median(this.rates),
      verificationsPerSecond: median(this.yardsticks),
    };
  }

  async close(): Promise<void> {
    await this.node.stop();
  }
}
