/** A run of the checks that ends before its result has failed, and so has one with an error outside of a check. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** @param later what every request after the first does, as a program text */
function run(later: string) {
  const preload = `let asked = 0; globalThis.fetch = async () => { if (asked++ > 0) { ${later} } };`;
  const url = `data:text/javascript,${encodeURIComponent(preload)}`;
  const args = ['--import', url, MAIN, '--url', 'http://127.0.0.1:9', '--only', 'get.'];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

test('a check that never ends fails the run', () => {
  assert.equal(run('await new Promise(() => {});').status, 13);
});

test('an error outside of a check fails the run', () => {
  const late = "setTimeout(() => { throw new Error('late'); }, 1); await new Promise(() => {});";
  const { status, stderr } = run(late);
  assert.equal(status, 1);
  assert.match(stderr, /Error: late/);
});
