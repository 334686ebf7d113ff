import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approveLine } from './approve-line.ts';
import { sameOptions, shellWord } from './program-name.ts';

test('a suggested command says again what this one was told, and no more', () => {
  assert.equal(sameOptions({ dataDir: '.netd' }), '');
  const told = { as: 'ada', url: 'http://127.0.0.1:9000', dataDir: "/var/lib/o'net d" };
  assert.equal(
    sameOptions(told),
    ` --as ada --url http://127.0.0.1:9000 --data-dir '/var/lib/o'\\''net d'`,
  );
});

test('what a shell would take apart is quoted', () => {
  assert.deepEqual(['a-b_c.json', 'a b', '$HOME', ''].map(shellWord), [
    'a-b_c.json',
    "'a b'",
    "'$HOME'",
    "''",
  ]);
});

test('the line for a verifier names a group, that for another role none', () => {
  const waiting = { applicationId: 'a-1', actorId: 'ada' };
  const data = { dataDir: 'other' };
  assert.match(
    approveLine({ ...waiting, role: 'VERIFIER' }, data),
    /netd approve a-1 --group ada --data-dir other$/,
  );
  assert.match(approveLine({ ...waiting, role: 'STORAGE_PROVIDER' }), /netd approve a-1$/);
});
