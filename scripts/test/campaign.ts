/**
 * Runs the campaign: tests too slow for a build.
 * npm run test:campaign -- --list        parts, minutes, and the last commit at which each passed
 * npm run test:campaign -- <part>…       these parts in sequence
 * npm run test:campaign                  all of them
 * A part that passes in a clean working tree writes its commit into `campaign-record.json`: commit that file.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isOfCampaign, PART_MINUTES, partOf, PARTS, type Part } from './campaign-parts.ts';
import { JobSite } from './job.ts';
import { Run } from './run.ts';
import { npmJob, testJobs } from './stages.ts';
import { testFiles } from './test-files.ts';
import { keepTimes, readTimes } from './times.ts';

const RECORD = fileURLToPath(new URL('campaign-record.json', import.meta.url));

interface Green {
  commit: string;
  /** UTC, YYYY-MM-DD. */
  date: string;
  minutes: number;
}

type Kept = Record<string, Green>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' } },
});
const unknown = positionals.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(
    `There is no part ${unknown.join(', ')}. The parts: ${Object.keys(PARTS).join(', ')}.`,
  );
  process.exit(2);
}
if (values.list) list();
else {
  const chosen = positionals.length > 0 ? positionals : Object.keys(PARTS);
  for (const name of chosen) await runPart(name, PARTS[name] as Part);
}

function list(): void {
  const record = readRecord();
  for (const [name, { touches, about }] of Object.entries(PARTS)) {
    const green = record[name];
    const time = green ? `${green.minutes} min` : `about ${about} min`;
    const when = green ? `passed at ${green.commit}, ${green.date}` : 'no record of a pass';
    console.log(`${name.padEnd(13)} ${time.padStart(12)}   ${when.padEnd(33)} ${touches}`);
  }
}

async function runPart(name: string, part: Part): Promise<void> {
  const startedAt = performance.now();
  const commit = cleanCommit();
  const times = readTimes('campaign');
  const files = testFiles('campaign', [], times).filter(
    (file) => isOfCampaign(file) && partOf(file) === name,
  );
  console.log(`\nPart ${name}: ${part.touches}`);
  const site = new JobSite();
  const run = new Run(site, { slots: availableParallelism() + 1, isCampaign: true });
  const ignoreSignals = run.endAtSignals(`Part ${name}: `);
  const bound = setTimeout(
    () => run.end(`Part ${name}: ended after ${PART_MINUTES} minutes. Split it.`, 1),
    PART_MINUTES * 60_000,
  );
  try {
    const build = { ...npmJob('build'), isFirst: true };
    await run.all([build, ...(part.jobs ?? []), ...testJobs(files, times)]);
  } finally {
    clearTimeout(bound);
    ignoreSignals();
    site.close();
  }
  run.summarize();
  keepTimes('campaign', run.timesOf(files));
  if (!run.isGreen) {
    process.exitCode = 1;
    return;
  }
  if (commit === null || commit !== cleanCommit()) {
    console.log(`Part ${name} passed. Not recorded: the working tree differs from its commit.`);
    return;
  }
  const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
  const date = new Date().toISOString().slice(0, 10);
  const record = { ...readRecord(), [name]: { commit, date, minutes } };
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
  console.log(`Part ${name} passed at ${commit}: commit scripts/test/campaign-record.json.`);
}

function readRecord(): Kept {
  return JSON.parse(readFileSync(RECORD, 'utf8')) as Kept;
}

/** Returns the last commit; null if files differ from it, other than the record. */
function cleanCommit(): string | null {
  try {
    const status = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' });
    const changed = status
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith('scripts/test/campaign-record.json'));
    if (changed.length > 0) return null;
    return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    // A release without its history.
    return null;
  }
}
