import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { canonicalize, sha256, verifyStateProof } from '@netd/protocol';
import { bucketOf, BUCKETS } from '../store/tree/tree-records.ts';
import type { ChainHarness } from '@netd/testkit/chain-harness';
import { openPopulated } from '@netd/testkit/populated-chain';
import { tempDir } from '@netd/testkit/temp-dir';
import { proveState, type CertifiedStateProof } from './proofs.ts';

let harness: ChainHarness;
before(async () => {
  harness = await openPopulated({ path: join(tempDir({ after }), 'chain') });
});
after(() => harness.close());

function prove(key: string): CertifiedStateProof {
  const snapshot = harness.store.snapshot();
  try {
    return proveState(snapshot, key);
  } finally {
    snapshot.close();
  }
}

test('every key of a chain on which everything has happened is proved, and its neighbours are proved absent', () => {
  const snapshot = harness.store.snapshot();
  try {
    const { stateRoot } = snapshot.block.header;
    let proved = 0;
    for (const { key, text } of snapshot.pairs()) {
      const { value, leaf, siblings } = proveState(snapshot, key);
      assert.equal(canonicalize(value), text);
      const proof = { leaf, siblings };
      assert.deepEqual(verifyStateProof(key, text, proof, stateRoot), { ok: true, present: true });
      assert.equal(verifyStateProof(key, `${text} `, proof, stateRoot).ok, false);
      const neighbour = `${key}~`;
      const absent = proveState(snapshot, neighbour);
      const verdict = verifyStateProof(neighbour, null, absent, stateRoot);
      assert.deepEqual(verdict, { ok: true, present: false });
      proved++;
    }
    assert.ok(proved > 200, String(proved));
  } finally {
    snapshot.close();
  }
});

describe('of a database in which something else stands there is no proof', () => {
  const KEY = 'chain/identity';
  const bucket = bucketOf(sha256(KEY));
  const node = BUCKETS + bucket;
  const flipped = (record: Buffer, at: number): Buffer => {
    const damaged = Buffer.from(record);
    damaged[at]! ^= 1;
    return damaged;
  };

  for (const [name, page] of [
    ['the top page', node >> 18],
    ['a page of depth 9', node >> 14],
    ['a page of depth 14', node >> 9],
  ] as const) {
    test(name, async () => {
      const { treePages } = harness.store.tables;
      const good = Buffer.from(treePages.get(page)!);
      const proof = prove(KEY);
      const fault = {
        name: 'StoreError',
        message: `page ${page} of the state tree is damaged; run netd verify`,
      };
      // Of any node in it, of the one on the path too: the first hash, one in between, the last.
      const kinds = page === 1 ? 16 : 32;
      const hashes = (good.length - kinds) / 32;
      for (const index of [0, hashes >> 1, hashes - 1]) {
        await treePages.put(page, flipped(good, kinds + 32 * index + (index % 32)));
        assert.throws(() => prove(KEY), fault);
      }
      for (const record of [Buffer.alloc(0), good.subarray(0, 40), Buffer.alloc(kinds, 3)]) {
        await treePages.put(page, record);
        assert.throws(() => prove(KEY), fault);
      }
      await treePages.remove(page);
      assert.throws(() => prove(KEY), fault);
      if (page === 1) assert.throws(() => prove('nobody'), fault);
      else assert.equal(prove('nobody').value, null);
      await treePages.put(page, good);
      assert.deepEqual(prove(KEY), proof);
    });
  }

  test('a bucket', async () => {
    const { tree } = harness.store.tables;
    const good = Buffer.from(tree.get(bucket)!);
    const proof = prove(KEY);
    const foreign = {
      name: 'StoreError',
      message:
        /^the buckets \d+ to \d+ of the state tree are not those of block \d+; run netd verify$/,
    };
    const leaf = Buffer.from(sha256(KEY));
    for (const record of [
      flipped(good, 7),
      // Of the leaf, its node in front as it was: the last byte of the key hash, and of the value hash.
      flipped(good, good.length - 33),
      flipped(good, good.length - 1),
      good.subarray(0, 31),
      good.subarray(0, good.length - 1),
      Buffer.concat([good, leaf]),
    ]) {
      await tree.put(bucket, record);
      assert.throws(() => prove(KEY), foreign);
    }
    await tree.remove(bucket);
    assert.throws(() => prove(KEY), foreign);
    await tree.put(bucket, good);
    assert.deepEqual(prove(KEY), proof);
  });

  test('a record of the state', async () => {
    const { state } = harness.store.tables;
    const good = state.get(KEY)!;
    const proof = prove(KEY);
    const fault = {
      name: 'StoreError',
      message:
        /^the record chain\/identity is not the one of the state tree at height \d+; run netd verify$/,
    };
    await state.put(KEY, '{}');
    assert.throws(() => prove(KEY), fault);
    await state.remove(KEY);
    assert.throws(() => prove(KEY), fault);
    await state.put('nobody', '{}');
    assert.throws(() => prove('nobody'), { name: 'StoreError' });
    await state.remove('nobody');
    await state.put(KEY, good);
    assert.deepEqual(prove(KEY), proof);
  });
});
