/**
 * `npm run campaign`: faults against a node, for minutes to hours; for example `npm run campaign -- kill --rounds
 * 500 --seed 7`. Every part prints its seed, broken promises with their replay, and a summary. Exits with 1 if a
 * promise was broken.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CampaignPart } from './campaign-part.ts';
import { followers } from './followers.ts';
import { fuzz } from './fuzz.ts';
import { kill } from './kill.ts';
import { simulate } from './simulate.ts';

const PARTS: Readonly<Record<string, CampaignPart>> = { kill, simulate, followers, fuzz };
const USAGE = `npm run campaign -- [${Object.keys(PARTS).join(' | ')} …] [--minutes M] [--seed S] [--from N]
  ${Object.entries(PARTS)
    .map(([name, { unit, few }]) => `${name}: --${unit} N (${few} unless told)`)
    .join('\n  ')}
  --minutes bounds each part, --from takes it up where it stopped (round, life or batch).`;

const number = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    minutes: number,
    seed: number,
    from: number,
    rounds: number,
    actions: number,
    requests: number,
    lives: number,
  },
});
const unknown = positionals.filter((name) => !(name in PARTS));
if (values.help || unknown.length > 0) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}

const whole = (name: string, text: string | undefined, otherwise: number): number => {
  const value = text === undefined ? otherwise : Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`--${name} is a whole number, not ${text}`);
  return process.exit(2);
};

const seed = whole('seed', values.seed, Date.now() % 2 ** 31);
const minutes = values.minutes === undefined ? null : whole('minutes', values.minutes, 0);
const scratch = mkdtempSync(join(tmpdir(), 'netd-campaign-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

for (const [name, part] of Object.entries(PARTS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const asked = (values as Record<string, string | boolean | undefined>)[part.unit];
  // A time limit alone bounds the part by time.
  const otherwise = minutes === null ? part.few : Number.MAX_SAFE_INTEGER;
  const count = whole(part.unit, asked as string | undefined, otherwise);
  const startedAt = Date.now();
  console.log(`${name}: seed ${seed}`);
  const { faults, line } = await part.run({
    seed,
    from: whole('from', values.from, 0),
    count,
    until: minutes === null ? Number.MAX_SAFE_INTEGER : startedAt + minutes * 60_000,
    directory: join(scratch, name),
    say: (text) => console.log(`${name}: ${text}`),
  });
  const verdict = faults.length === 0 ? 'HOLDS ' : `BROKEN (${faults.length})`;
  const took = Math.round((Date.now() - startedAt) / 1_000);
  console.log(`${name}: ${verdict} seed ${seed}, ${took} s: ${line}`);
  for (const fault of faults) console.log(`${name}: ✖ ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
// Sockets to killed nodes must not keep the process alive.
process.exit();
