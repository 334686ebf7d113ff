/** The jobs of a run: checks, test files or batches of them, pytest. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Job } from './run.ts';
import { batchesOf, isSlow } from './test-files.ts';
import type { RunTier, Times } from './times.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const PYTHON = 'clients/python/tests/';
/** Seconds, for hangs. At a load of forty, the formatter took 217, all lies 400, schemathesis 766. */
const QUICK_LIMIT = 900;
/** Files. More are checked with all the others. */
const MOST_CHANGED = 100;
const SLOW_LIMIT = 2_700;

export const npmJob = (script: string): Job => ({
  name: script,
  command: ['npm', 'run', '--silent', ...script.split(' ')],
  limit: QUICK_LIMIT,
});

/**
 * Returns the checks; the first one builds what tests use.
 * @param changed the only files to format and lint before a commit; null for all
 */
export function checkJobs(tier: RunTier, changed: readonly string[] | null): Job[] {
  if (tier === 'unit' && changed !== null && changed.length <= MOST_CHANGED)
    return changedJobs(changed.filter((file) => existsSync(file)));
  const build: Job = { ...npmJob('build'), isFirst: true };
  const format = npmJob('format:check');
  if (tier === 'slow')
    return [
      build,
      format,
      npmJob('knip'),
      { ...npmJob('schemathesis -- --examples 1 --phases examples,fuzzing'), limit: SLOW_LIMIT },
    ];
  const checks = ['new-action', 'lint', 'contract -- --check', 'lint:openapi'].map(npmJob);
  // Takes half a minute without its cache, which exists before a commit.
  return tier === 'unit' ? [build, ...checks, format] : [build, ...checks, npmJob('vectors')];
}

/** The types of the whole tree, from what the compiler remembers, and the style of these files. */
function changedJobs(files: readonly string[]): Job[] {
  const build: Job = { ...npmJob('build generated'), isFirst: true };
  const sources = files.filter((file) => /\.(tsx?|mjs)$/.test(file));
  const of = (script: string, which: readonly string[]): Job[] =>
    which.length === 0 ? [] : [{ ...npmJob(`${script} -- ${which.join(' ')}`), name: script }];
  return [
    build,
    npmJob('types'),
    npmJob('contract -- --check'),
    ...of('lint:files', sources),
    ...of('format:files', files),
  ];
}

/** The Python client has a runner of its own. */
export function pytestJobs(tier: RunTier, parts: readonly string[]): Job[] {
  const files = parts.filter((part) => part.startsWith(PYTHON));
  if (tier === 'unit' || (parts.length > 0 && files.length === 0)) return [];
  const which = files.map((file) => file.slice('clients/python/'.length));
  const marks = {
    unit: [],
    // One process, so that the scenarios share a devnet.
    quick: ['--numprocesses=0', '-m', 'not slow and not campaign'],
    // Style and types were checked by `npm test`.
    slow: ['--tests-only', '-m', 'slow and not campaign'],
  }[tier];
  return [pytest(parts.length > 0 ? which : marks)];
}

const pytest = (args: readonly string[]): Job => ({
  name: 'clients/python',
  command: [process.execPath, 'scripts/python-sdk.mjs', ...args],
  limit: SLOW_LIMIT,
});

export const pytestCampaign = pytest(['--tests-only', '-m', 'campaign']);

export function testJobs(files: readonly string[], times: Times): Job[] {
  return batchesOf(files, times).map((batch) => {
    const [only = ''] = batch;
    const limit = batch.some(isSlow) ? SLOW_LIMIT : QUICK_LIMIT;
    return { name: only, files: batch, command: nodeTest(batch), limit };
  });
}

/** A unit test fills memory fast and ends soon: fewer collections, without helper threads, save a tenth of the CPU time. */
const SHORT_LIVED = ['--max-semi-space-size=64', '--single-threaded-gc'];

/** Runs one file directly, several through batch.ts. */
function nodeTest(batch: readonly string[]): [string, ...string[]] {
  const flags = batch.some(isSlow) ? [] : SHORT_LIVED;
  const program = batch.length === 1 ? [] : [here('batch.ts')];
  return [process.execPath, ...flags, ...program, ...batch];
}
