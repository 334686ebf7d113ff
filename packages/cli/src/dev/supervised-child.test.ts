import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { tempDir } from '@netd/testkit/temp-dir';
import { SupervisedChild } from './supervised-child.ts';

test('a child is started again unless it ends with the final code', async (t) => {
  const entry = join(tempDir(t), 'child.mjs');
  // The second process finds the file of the first one.
  writeFileSync(
    entry,
    `import { writeFileSync } from 'node:fs';
    try { writeFileSync(${JSON.stringify(`${entry}.seen`)}, '', { flag: 'wx' }); } catch { process.exit(4); }
    process.exit(1);`,
  );
  const deaths: string[] = [];
  const ended = Promise.withResolvers<void>();
  const child = new SupervisedChild({
    entry: pathToFileURL(entry),
    start: {},
    onMessage: () => {},
    onDeath: (reason) => deaths.push(reason),
    final: { code: 4, onEnd: () => ended.resolve() },
  });
  await ended.promise;
  assert.deepEqual(deaths, ['code 1']);
  assert.equal(child.pid, null);
  await child.stop();
});
