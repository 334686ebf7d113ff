/** Simulates one validator from many seeds, until enough actions were sent. */
import { join } from 'node:path';
import { simulate as live, type SimulationReport } from '@netd/testkit/simulation';
import type { CampaignPart } from './campaign-part.ts';

const STEPS = 400;
/** Continues for a few runs after a fault, to show whether it is rare. */
const MAX_FAULTS = 5;

type Count = Exclude<keyof SimulationReport, 'blockHash' | 'seed'>;
const SHOWN: readonly Count[] = [
  'transitions',
  'crashes',
  'diskFailures',
  'clockFaults',
  'retries',
  'duplicates',
  'reordered',
  'pipelined',
];

export const simulate: CampaignPart = {
  unit: 'actions',
  few: 50_000,
  async run({ seed, from, count, until, directory, say }) {
    const sums = new Map<Count, number>();
    const faults: string[] = [];
    let actions = 0;
    let lives = 0;
    for (let life = from; actions < count && Date.now() < until; life++) {
      const own = seed + life;
      try {
        const report = await live({ seed: own, steps: STEPS, path: join(directory, String(own)) });
        actions += report.actions;
        for (const name of SHOWN) sums.set(name, (sums.get(name) ?? 0) + report[name]);
      } catch (error) {
        faults.push(`--seed ${own} --steps ${STEPS}: ${String(error)}`);
        say(faults.at(-1) ?? '');
        if (faults.length >= MAX_FAULTS) break;
      }
      lives++;
      if (lives % 100 === 0) say(`${actions} actions in ${lives} lives, next is ${life + 1}`);
    }
    const shown = SHOWN.map((name) => `${name} ${sums.get(name) ?? 0}`).join(', ');
    return { faults, done: actions, line: `${actions} actions in ${lives} lives: ${shown}` };
  },
};
