import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downloadFile, downloadFiles, DOWNLOADS } from './downloads.ts';
import { VERSION } from '@netd/protocol/version';

test('what was not built is no download, and nothing else stands in for it', () => {
  const [join] = DOWNLOADS;
  assert.ok(join);
  const missing = { ...join, name: 'net-nothing.mjs', source: 'packages/sdk/dist/net-nothing.mjs' };
  assert.equal(downloadFile(missing, 'http://127.0.0.1:1'), null);
  assert.ok(downloadFiles('http://127.0.0.1:1').some(({ name }) => name === join.name));
  // What lies where a file should be is reported, and not taken for something that is missing.
  assert.throws(
    () => downloadFile({ ...missing, source: 'packages/sdk/src' }, 'http://127.0.0.1:1'),
    { code: 'EISDIR' },
  );
});

test('names are file names, each once, and those with a version have the present one', () => {
  const names = DOWNLOADS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert.equal(new Set(DOWNLOADS.map(({ operationId }) => operationId)).size, names.length);
  for (const name of names) {
    assert.match(name, /^[a-z0-9][a-z0-9._-]+$/);
    const [version = VERSION] = /\d+\.\d+\.\d+/.exec(name) ?? [];
    assert.equal(version, VERSION);
  }
});
