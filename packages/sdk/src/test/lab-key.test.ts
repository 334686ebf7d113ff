/** Keys of laboratories are those of the vectors, which the Python client reads too. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LABORATORY_KEY } from '@netd/ledger';
import { ANYBODY, labKey } from './lab-key.ts';

interface Vectors {
  keys: { actorId: string; seed: string; publicKey: string }[];
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../../vectors/lab/keys.json', import.meta.url), 'utf8'),
) as Vectors;

test('what a laboratory believes of anybody is the key of that name', () => {
  assert.equal(labKey(ANYBODY).publicKey, LABORATORY_KEY);
});

test('a name and a seed give the key of the vectors', () => {
  assert.ok(vectors.keys.length >= 3);
  for (const { actorId, seed, publicKey } of vectors.keys) {
    assert.equal(labKey(actorId, seed).publicKey, publicKey);
  }
  assert.equal(new Set(vectors.keys.map(({ publicKey }) => publicKey)).size, vectors.keys.length);
});
