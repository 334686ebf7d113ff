/** A changed bucket record must equal the record built from its leaves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesToHex, compareKeyHashes, subtreeNode, type TreeLeaf } from '@netd/protocol';
import * as fc from 'fast-check';
import {
  BUCKET_DEPTH,
  bucketNode,
  changeBucket,
  decodeLeaves,
  INNER,
  LONE_LEAF,
  type LeafChange,
} from './tree-records.ts';

/** Key hashes of one bucket. Few bits after the first 18 differ, so leaves share long prefixes. */
const change: fc.Arbitrary<LeafChange> = fc
  .record({
    quarter: fc.nat(3),
    below: fc.nat(15),
    last: fc.nat(1),
    value: fc.option(fc.nat(255), { freq: 3 }),
  })
  .map(({ quarter, below, last, value }) => {
    const keyHash = new Uint8Array(32).fill(0x5a);
    keyHash[2] = 0x40 | (quarter << 4) | below;
    keyHash[31] = last;
    return { keyHash, valueHash: value === null ? null : new Uint8Array(32).fill(value) };
  });

const block = fc.uniqueArray(change, {
  minLength: 1,
  maxLength: 6,
  selector: ({ keyHash }) => bytesToHex(keyHash),
});

test('is the subtree node of its leaves, and the same by whatever way they came', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 20 }), (blocks) => {
      const model = new Map<string, TreeLeaf>();
      let record: Uint8Array | undefined;
      for (const changes of blocks) {
        record = changeBucket(record, changes) ?? undefined;
        for (const { keyHash, valueHash } of changes) {
          if (valueHash) model.set(bytesToHex(keyHash), { keyHash, valueHash });
          else model.delete(bytesToHex(keyHash));
        }
        const leaves = [...model.values()].toSorted((a, b) =>
          compareKeyHashes(a.keyHash, b.keyHash),
        );
        assert.deepEqual(decodeLeaves(record)?.map(plain), leaves.map(plain));
        assert.deepEqual(record ?? null, changeBucket(undefined, leaves));
        if (!record) continue;
        const { kind, bytes, offset } = bucketNode(record);
        assert.equal(kind, leaves.length === 1 ? LONE_LEAF : INNER);
        assert.equal(
          bytesToHex(bytes.subarray(offset, offset + 32)),
          bytesToHex(subtreeNode(leaves, BUCKET_DEPTH)),
        );
      }
    }),
    { numRuns: 300 },
  );
});

function plain({ keyHash, valueHash }: TreeLeaf): string {
  return `${bytesToHex(keyHash)} ${bytesToHex(valueHash)}`;
}
