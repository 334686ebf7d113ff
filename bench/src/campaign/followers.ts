/**
 * Simulates writers and followers from many seeds. Every second run has a lying origin, and two of four start
 * followers from checkpoints.
 */
import { join } from 'node:path';
import { simulateFollowers, type FollowersReport } from '@netd/testkit/simulation';
import type { CampaignPart } from './campaign-part.ts';

const STEPS = 150;
/** Continues for a few runs after a fault, to show whether it is rare. */
const MAX_FAULTS = 5;

type Count = Exclude<keyof FollowersReport, 'blockHash' | 'seed' | 'caughtUpAfter'>;
const SHOWN: readonly Count[] = [
  'height',
  'compared',
  'writerCrashes',
  'followerCrashes',
  'diskFailures',
  'partitions',
  'clockJumps',
  'lost',
  'repeated',
  'reordered',
  'restores',
  'restoreCrashes',
  'lies',
  'banned',
];

export const followers: CampaignPart = {
  unit: 'lives',
  few: 10,
  async run({ seed, from, count, until, directory, say }) {
    const sums = new Map<Count, number>();
    const faults: string[] = [];
    let slowest = 0;
    let life = from;
    for (; life < from + count && Date.now() < until; life++) {
      const own = seed + life;
      const liar = own % 2 === 1;
      const checkpoints = own % 4 >= 2;
      try {
        const path = join(directory, String(own));
        const report = await simulateFollowers({
          seed: own,
          steps: STEPS,
          path,
          liar,
          checkpoints,
        });
        for (const name of SHOWN) sums.set(name, (sums.get(name) ?? 0) + report[name]);
        slowest = Math.max(slowest, report.caughtUpAfter);
      } catch (error) {
        const flags = `${liar ? ' --liar' : ''}${checkpoints ? ' --checkpoints' : ''}`;
        const replay = `--followers${flags} --seed ${own} --steps ${STEPS}`;
        faults.push(`${replay}: ${String(error)}`);
        say(faults.at(-1) ?? '');
        if (faults.length >= MAX_FAULTS) break;
      }
      if ((life + 1 - from) % 20 === 0) say(`${life + 1 - from} lives, next is ${life + 1}`);
    }
    const done = life - from;
    const shown = SHOWN.map((name) => `${name} ${sums.get(name) ?? 0}`).join(', ');
    const line = `${done} lives: ${shown}; all caught up within ${slowest} ms of simulated time`;
    return { faults, done, line };
  },
};
