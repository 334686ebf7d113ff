/**
 * Runs the test files of the whole repository with Node's own runner.
 *
 *   node scripts/run-tests.mjs          every test
 *   node scripts/run-tests.mjs --quick  all but *.slow.test.ts
 *
 * Words after that are parts of paths: only files that contain one of them run. Options are handed on to node.
 * It fails when nothing matches, so that a misspelt glob never looks like a pass.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { sep } from 'node:path';

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

const files = globSync(GLOBS)
  .filter((file) => !file.split(sep).includes('node_modules'))
  .filter((file) => !(quick && file.includes('.slow.test.')))
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .toSorted();

if (files.length === 0) {
  console.error(`no test files match ${[...GLOBS, ...parts].join(' ')}`);
  process.exit(1);
}

// Node's default leaves one core alone, which on two cores is one file at a time; half of the slow ones only wait.
const concurrency = `--test-concurrency=${availableParallelism() + 2}`;
// A test that hangs fails, and says which one it is, long before the build's own bound.
const timeout = '--test-timeout=300000';
const { status } = spawnSync(
  process.execPath,
  ['--test', concurrency, timeout, ...options, ...files],
  {
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
