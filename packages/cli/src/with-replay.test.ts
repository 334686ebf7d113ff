import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withReplay } from './with-replay.ts';

test('a replay of a damaged database says what to do', async () => {
  const damaged = Object.assign(new Error('MDB_CORRUPTED: Located page was wrong type'), {
    code: -30_796,
  });
  const replay = withReplay(() => Promise.reject(damaged));
  await assert.rejects(replay, {
    code: 'DATABASE_DAMAGED',
    message: /MDB_CORRUPTED.*netd restore/,
  });
  const absent = withReplay(() => Promise.reject(new Error('block 9 is not there')));
  await assert.rejects(absent, { code: 'FAILED', message: 'block 9 is not there' });
});
