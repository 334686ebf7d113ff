/** What `netd doctor` says about CometBFT. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { engine } from './machine.ts';

test('a validator without CometBFT has a fault, and another node needs none', async (t) => {
  const home = tempDir(t);
  const before = process.env['NET_ENGINE_DIR'];
  process.env['NET_ENGINE_DIR'] = join(home, 'engines');
  t.after(() => {
    if (before === undefined) delete process.env['NET_ENGINE_DIR'];
    else process.env['NET_ENGINE_DIR'] = before;
  });
  assert.deepEqual(await engine(home), []);
  mkdirSync(join(home, 'cometbft'));
  const [finding] = await engine(home);
  assert.equal(finding?.verdict, 'fault');
  assert.match(finding.found, /CometBFT binary .*engines.* is not there$/);
});
