/** The order in which files start. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchesOf } from './test-files.ts';

test('starts slow files without a record before short ones, so that none is left alone at the end', () => {
  const [long = '', short = '', unknown = ''] = ['long', 'short', 'unknown'].map(
    (name) => `packages/x/src/${name}.slow.test.ts`,
  );
  const times = { [long]: 200, [short]: 30 };
  assert.deepEqual(batchesOf([short, unknown, long], times), [[long], [unknown], [short]]);
});
