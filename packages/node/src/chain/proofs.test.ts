import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { canonicalize, verifyStateProof } from '@netd/protocol';
import type { ChainHarness } from '../testing/chain-harness.ts';
import { openPopulated } from '../testing/populated-chain.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { proveState } from './proofs.ts';

let harness: ChainHarness;
before(async () => {
  harness = await openPopulated({ path: join(tempDir({ after }), 'chain') });
});
after(() => harness.close());

test('every key of a chain on which everything has happened is proved, and its neighbours are proved absent', () => {
  const snapshot = harness.store.snapshot();
  try {
    const { stateRoot } = snapshot.block.header;
    let proved = 0;
    for (const { key, text } of snapshot.pairs()) {
      const { value, leaf, siblings } = proveState(snapshot, harness.executor.tree, key);
      assert.equal(canonicalize(value), text);
      const proof = { leaf, siblings };
      assert.deepEqual(verifyStateProof(key, text, proof, stateRoot), { ok: true, present: true });
      assert.equal(verifyStateProof(key, `${text} `, proof, stateRoot).ok, false);
      const neighbour = `${key}~`;
      const absent = proveState(snapshot, harness.executor.tree, neighbour);
      const verdict = verifyStateProof(neighbour, null, absent, stateRoot);
      assert.deepEqual(verdict, { ok: true, present: false });
      proved++;
    }
    assert.ok(proved > 200, String(proved));
  } finally {
    snapshot.close();
  }
});
