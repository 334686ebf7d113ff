/** A log that cannot be written ends nobody. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, openSync, closeSync } from 'node:fs';
import { test } from 'node:test';

const MODULE = JSON.stringify(new URL('error-log.ts', import.meta.url).href);
/** Thousands of lines, and one of those for which pino waits. */
const PROGRAM = `
  import { errorLog } from ${MODULE};
  const log = errorLog('warn');
  for (let i = 0; i < 5_000; i++) log.error('x'.repeat(1_000));
  log.fatal('the last');
  await new Promise((resolve) => setTimeout(resolve, 50));
  console.log('goes on');`;

test('a service goes on where its log lies on a full disk', (t) => {
  if (!existsSync('/dev/full')) return t.skip('nothing here is always full');
  const full = openSync('/dev/full', 'w');
  t.after(() => closeSync(full));
  const args = ['--input-type=module', '-e', PROGRAM];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', full],
  });
  assert.deepEqual([status, stdout], [0, 'goes on\n']);
});

test('and says everything where it can', () => {
  const args = ['--input-type=module', '-e', PROGRAM];
  const options = { encoding: 'utf8', maxBuffer: 100_000_000 } as const;
  const { status, stderr } = spawnSync(process.execPath, args, options);
  assert.equal(status, 0);
  assert.equal(stderr.trimEnd().split('\n').length, 5_001);
});
