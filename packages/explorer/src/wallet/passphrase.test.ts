import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weaknessOf } from './passphrase.ts';

test('refuses passphrases that are guessed soon, however long, and takes several words', async () => {
  assert.match(await weaknessOf('x8#kQ2!pL', []), /at least 10 characters/);
  for (const weak of ['password12', 'aaaaaaaaaaaa', 'qwertyuiop', 'iloveyou123']) {
    assert.match(await weaknessOf(weak, []), /easy to guess/, weak);
  }
  assert.match(await weaknessOf('nora-kestrel', ['nora-kestrel']), /easy to guess/, 'the name');
  assert.equal(await weaknessOf('four words are enough', ['ada']), '');
});
