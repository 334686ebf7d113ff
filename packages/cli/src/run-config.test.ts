import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from './run-config.ts';

test('refuses a number in quotes and a text without quotes, and accepts proxies as a count or a list', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'run-config-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'config.json');
  const read = (config: object): ReturnType<typeof readConfig> => {
    writeFileSync(file, JSON.stringify({ dataDir: 'chain', ...config }));
    return readConfig(file);
  };
  assert.throws(() => read({ port: '8420' }), /port: a number is needed, without quotes: 8420/);
  assert.throws(() => read({ writeRate: '60' }), /writeRate: a number is needed/);
  assert.throws(() => read({ host: 1 }), /host: a string is needed, in quotes: "1"/);
  assert.throws(() => read({ dataDir: 7 }), /dataDir: a string is needed, in quotes: "7"/);
  assert.equal(read({ port: 8420 }).port, 8420);
  for (const trustProxy of [1, 'loopback', ['10.0.0.0/8', '192.0.2.7'], true]) read({ trustProxy });
});
