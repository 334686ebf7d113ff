/**
 * Replays a run: `node packages/testkit/src/simulation/main.ts --seed 7 --steps 400`. Without `--seed`, runs seed
 * after seed. `--followers` simulates a writer and followers, `--liar` adds a liar, `--checkpoints` starts
 * followers at checkpoints.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { simulateFollowers } from './followers.ts';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    steps: { type: 'string', default: '200' },
    runs: { type: 'string', default: '10' },
    followers: { type: 'boolean', default: false },
    liar: { type: 'boolean', default: false },
    checkpoints: { type: 'boolean', default: false },
  },
});

const first = Number(values.seed ?? 1);
const last = values.seed === undefined ? Number(values.runs) : first;
for (let seed = first; seed <= last; seed++) {
  const path = mkdtempSync(join(tmpdir(), 'netd-simulation-'));
  const options = { seed, steps: Number(values.steps), path };
  const report = values.followers
    ? await simulateFollowers({ ...options, liar: values.liar, checkpoints: values.checkpoints })
    : await simulate(options);
  console.log(JSON.stringify(report));
}
