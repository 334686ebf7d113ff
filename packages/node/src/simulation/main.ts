/** Replays one run: `node packages/node/src/simulation/main.ts --seed 7 --steps 400`. Without a seed, one after the other. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    steps: { type: 'string', default: '200' },
    runs: { type: 'string', default: '10' },
  },
});

const first = Number(values.seed ?? 1);
const last = values.seed === undefined ? Number(values.runs) : first;
for (let seed = first; seed <= last; seed++) {
  const path = mkdtempSync(join(tmpdir(), 'netd-simulation-'));
  const report = await simulate({ seed, steps: Number(values.steps), path });
  console.log(JSON.stringify(report));
}
