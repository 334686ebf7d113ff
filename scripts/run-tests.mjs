/**
 * Runs the test files of the whole repository with Node's own runner.
 *
 *   node scripts/run-tests.mjs          every test
 *   node scripts/run-tests.mjs --quick  all but *.slow.test.ts
 *
 * Words after that are parts of paths: only files that contain one of them run. Options are handed on to the process of each file.
 * It fails when nothing matches, so that a misspelt glob never looks like a pass.
 */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { sep } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const GLOBS = [
  'packages/*/src/**/*.test.ts',
  'clients/**/*.test.mjs',
  'scripts/**/*.test.ts',
  'bench/**/*.test.ts',
  'conformance/**/*.test.ts',
];

const args = process.argv.slice(2);
const quick = args.includes('--quick');
const options = args.filter((arg) => arg.startsWith('--') && arg !== '--quick');
const parts = args.filter((arg) => !arg.startsWith('--'));

/** @param {string} file */
const isSlow = (file) => file.includes('.slow.test.');
const files = globSync(GLOBS)
  .filter((file) => !file.split(sep).includes('node_modules'))
  .filter((file) => !(quick && isSlow(file)))
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  // The slow ones first: what comes last should not leave a core without work.
  .toSorted((a, b) => Number(isSlow(b)) - Number(isSlow(a)) || (a < b ? -1 : 1));

if (files.length === 0) {
  console.error(`no test files match ${[...GLOBS, ...parts].join(' ')}`);
  process.exit(1);
}

// Every file is a process of its own that loads much the same sources: they are compiled once.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('../node_modules/.cache/tests', import.meta.url),
);
// Not by `node --test`, which sorts the files again.
run({
  files,
  // Node's default leaves one core alone, which on two cores is one file at a time; half of the slow ones only wait.
  concurrency: availableParallelism() + 3,
  // A test that hangs fails, and says which one it is, long before the build's own bound.
  timeout: 300_000,
  execArgv: options,
})
  .on('test:fail', ({ todo }) => {
    if (todo === undefined) process.exitCode = 1;
  })
  .compose(spec)
  .pipe(process.stdout);
