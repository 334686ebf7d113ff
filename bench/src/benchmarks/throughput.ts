/** Committed signed intents per second in process, by state size, in alternating turns. */
import { join } from 'node:path';
import { beaconIntents, makeAgent } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { comparison, Contender } from '../contender.ts';
import { cpuResult } from '../cpu-time.ts';
import { median, spread, YardstickTurns } from '../measure.ts';
import { copyState, StateBuilder } from '../states.ts';

/** Enough for the engine to settle: compiling costs a third more until then. */
const WARM_UP = 20_000;
/** On a shared machine, most turns escape a bad moment. */
const TURNS = 5;
const INTENTS_PER_TURN = 10_000;
/** Enough for a separate agent per intent, if the state has so many. */
const ACTORS = WARM_UP + TURNS * INTENTS_PER_TURN;

const SMALL = 1_000;

interface Size {
  agents: number;
  /** Minimum throughput ÷ throughput of the small state. */
  goal: number;
}

const LARGE: Size = { agents: 100_000, goal: 0.75 };
const SIZES: Size[] = [LARGE, { agents: 400_000, goal: 0.75 }, { agents: 1_000_000, goal: 0.65 }];
/** In MB, for the largest state. */
const MEMORY_GOAL = 600;

export async function throughput(directory: string): Promise<BenchmarkResult[]> {
  return withContenders(directory, [LARGE], (small, larger) => [
    {
      name: 'in process: committed intents per second ÷ verifications per second of one core',
      value: median(small.ratios),
      unit: 'ratio',
      goal: { atLeast: 0.6 },
      details: small.details,
    },
    cpuResult('in process', 0.5, small.turns),
    ...larger.map(({ size, contender }) => comparisonResult(size, contender, small)),
  ]);
}

export async function throughputByAgents(directory: string): Promise<BenchmarkResult[]> {
  return withContenders(directory, SIZES, (small, larger) =>
    larger.flatMap(({ size, contender }) => {
      const { agents } = size;
      return [
        comparisonResult(size, contender, small),
        {
          name: `anonymous resident memory of the node under load with ${inWords(agents)} agents`,
          value: contender.anonymousMemory,
          unit: 'MB',
          goal: agents === SIZES.at(-1)?.agents ? { atMost: MEMORY_GOAL } : null,
          details: {},
        },
      ];
    }),
  );
}

function comparisonResult(size: Size, contender: Contender, small: Contender): BenchmarkResult {
  const ratios = comparison(contender, small);
  return {
    name: `throughput with ${inWords(size.agents)} agents, every intent of another one ÷ with ${inWords(SMALL)}`,
    value: median(ratios),
    unit: 'ratio',
    goal: { atLeast: size.goal },
    details: {
      ...contender.details,
      ...spread(ratios),
      ratioToYardstick: median(contender.ratios),
      intentsPerSecondWithFew: small.details['intentsPerSecond'] ?? Number.NaN,
    },
  };
}

async function withContenders(
  directory: string,
  sizes: readonly Size[],
  resultsOf: (
    small: Contender,
    larger: { size: Size; contender: Contender }[],
  ) => BenchmarkResult[],
): Promise<BenchmarkResult[]> {
  const all = [SMALL, ...sizes.map(({ agents }) => agents)];
  const states = await buildStates(directory, all);
  const rivals: { contender: Contender; intents: string[] }[] = [];
  try {
    for (const { dataDir, agentCount, height } of states) {
      const actors = actorsOf(agentCount).map((index) => makeAgent(index));
      const intents = beaconIntents(actors, ACTORS, height);
      const contender = await Contender.open(dataDir, intents.slice(0, WARM_UP));
      rivals.push({ contender, intents: intents.slice(WARM_UP) });
    }
    const yardstickTurns = new YardstickTurns();
    for (let turn = 0; turn < TURNS; turn++) {
      for (const { contender, intents } of rivals) {
        const from = turn * INTENTS_PER_TURN;
        await contender.takeTurn(yardstickTurns, intents.slice(from, from + INTENTS_PER_TURN));
      }
    }
    const [small, ...others] = rivals;
    if (!small) throw new Error('no contender took a turn');
    const larger = others.flatMap(({ contender }, index) => {
      const size = sizes[index];
      return size ? [{ size, contender }] : [];
    });
    return resultsOf(small.contender, larger);
  } finally {
    for (const { contender } of rivals) await contender.close();
  }
}

interface State {
  dataDir: string;
  agentCount: number;
  height: number;
}

/** Grows one chain and keeps a copy at each size. */
async function buildStates(directory: string, sizes: readonly number[]): Promise<State[]> {
  const acting = new Set(sizes.flatMap(actorsOf));
  const states: State[] = [];
  let built = 0;
  for (const size of sizes) {
    const dataDir = join(directory, String(size));
    const last = states.at(-1);
    if (last) await copyState(last.dataDir, dataDir);
    const from = built;
    const height = await StateBuilder.build(dataDir, (state) =>
      state.registerRange(from, size, (index) => acting.has(index)),
    );
    built = size;
    states.push({ dataDir, agentCount: size, height });
  }
  return states;
}

/** Returns indexes of actors, spread over all agents, with neighbors far apart. */
function actorsOf(agentCount: number): number[] {
  const actors = Math.min(agentCount, ACTORS);
  // A prime that divides no number of actors, so that each index occurs once.
  const STEP = 7_919;
  return Array.from({ length: actors }, (_, turn) =>
    Math.floor((((turn * STEP) % actors) * agentCount) / actors),
  );
}

function inWords(count: number): string {
  return count.toLocaleString('en');
}
