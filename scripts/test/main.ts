/**
 * Runs the checks and the test files of the whole repository, and says what it does as it goes.
 *
 *   npm test                       what anyone must see pass: checks, unit and property tests
 *   npm run test:slow              the rest: *.slow.test.ts, pytest's slow tests, schemathesis
 *   npm run check                  before every commit: checks and unit tests
 *   npm test -- <part of a path>…  the test files whose path holds one of these, nothing else
 *
 * `npm run test:campaign` runs what takes too long for a build (campaign.ts).
 *
 * After a run in which everything passed, `npm test` and `npm run check` run only the tests that the changed files can affect.
 * `npm test` then also runs the http tests of the packages that changed, and `npm run check` lints and formats only changed files.
 *   … -- --all                     runs all of them; so does CI
 *   … -- --again                   runs up to four failed jobs once more, each by itself. If one passes then, it is reported as a
 *                                  defect and does not fail the run: a build is not thrown away by chance
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { affectedBy, type Affected } from './affected.ts';
import { changedSince, keepPassed, treeNow } from './changes.ts';
import { JobSite } from './job.ts';
import { Run } from './run.ts';
import { checkJobs, pytestJobs, testJobs } from './stages.ts';
import { isHttp, isSlow, testFiles } from './test-files.ts';
import { keepTimes, readTimes, type RunTier } from './times.ts';

const ROOT = `${process.cwd()}/`;
/** Jobs. If more fail, it is no chance. A busy machine has failed three of 230. */
const AGAIN_AT_MOST = 4;
/** Seconds. `npm test` leaves longer http tests to `npm run test:slow`. */
const LONGEST_BESIDE = 20;

const { values, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: {
    unit: { type: 'boolean' },
    slow: { type: 'boolean' },
    again: { type: 'boolean' },
    all: { type: 'boolean' },
  },
});
const tier: RunTier = values.slow ? 'slow' : values.unit ? 'unit' : 'quick';
const isThorough = tier === 'slow';
const times = readTimes(isThorough ? tier : 'quick');
const all = testFiles(tier, parts, times);
const tree = isThorough || parts.length > 0 ? null : treeNow();
const changed =
  tree === null || values.all || process.env['CI'] !== undefined ? null : changedSince(tier, tree);
const affected = changed === null ? null : affectedNow(changed);
const files = affected?.files ?? all;
const python = affected?.isPython === false ? [] : pytestJobs(tier, parts);
if (all.length === 0 && pytestJobs(tier, parts).length === 0) {
  console.error(`No test file has ${parts.join(' or ')} in its path.`);
  process.exit(2);
}

const site = new JobSite();
// Many of the slow ones mostly wait. With seven on two cores, tests of Chromium and of validators failed by their limits.
const slots = availableParallelism() + (files.some(isSlow) ? 3 : 1);
// Tests selected by path run in full, as in a campaign.
const isCampaign = parts.length > 0;
const run = new Run(site, { slots, isCampaign });
run.endAtSignals();
process.once('exit', () => site.close());

const checks = parts.length > 0 ? [] : checkJobs(tier, affected === null ? null : changed);
await run.all([...checks, ...python, ...testJobs(files, times)]);
if (values.again) await run.again(AGAIN_AT_MOST);
run.summarize();
if (parts.length === 0 && tier !== 'unit') keepTimes(tier, run.timesOf(files));
// A file that was changed meanwhile may have been tested before or after.
if (tree !== null && run.isGreen && files === all && treeNow() === tree) keepPassed(tier, tree);
process.exitCode = run.isGreen ? 0 : 1;

/** Returns the http tests of the packages that these files are in, without the longest. */
function httpTestsBeside(sources: readonly string[]): string[] {
  const packageOf = (file: string): string => file.split('/', 2).join('/');
  const packages = new Set(sources.map(packageOf));
  const slowTimes = readTimes('slow');
  return testFiles('slow', [], slowTimes).filter(
    (file) =>
      isHttp(file) && packages.has(packageOf(file)) && (slowTimes[file] ?? 0) <= LONGEST_BESIDE,
  );
}

/** Selects by what has changed, and says so; null if everything runs. */
function affectedNow(names: readonly string[]): Affected | null {
  const candidates = [...all, ...(tier === 'quick' ? httpTestsBeside(names) : [])];
  const found = affectedBy(names, candidates, ROOT);
  const what = `${names.length} ${names.length === 1 ? 'file has' : 'files have'} changed since everything passed`;
  if (found.files === null) {
    console.log(`${what}, ${found.because} among them, which can affect every test.`);
    return null;
  }
  console.log(
    `${what}: ${found.files.length} of ${candidates.length} test files can notice. To run all: npm ${tier === 'unit' ? 'run check' : 'test'} -- --all`,
  );
  return found;
}
