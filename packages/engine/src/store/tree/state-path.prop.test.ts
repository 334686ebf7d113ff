/** A path from the records of any state must be the path of the definition, after any blocks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bytesToHex,
  compareKeyHashes,
  sha256,
  stateRoot,
  subtreePath,
  type TreeLeaf,
} from '@netd/protocol';
import * as fc from 'fast-check';
import { statePath } from './state-path.ts';
import { EMPTY_SOURCE, StateTree } from './state-tree.ts';

/** Some share their first 15, 16, 17 and 35 bits: in one bucket, in neighbours, below one node of the trunk. */
const CROWDED = ['k/215568', 'k/23345', 'k/241417', 'k/141798', 'k/197158', 'k/222440'];
const KEYS = [...CROWDED, ...Array.from({ length: 70 }, (_, index) => `agent/${index}`)];

const block = fc.array(
  fc.tuple(fc.constantFrom(...KEYS), fc.option(fc.nat(9).map(String), { freq: 3 })),
  { maxLength: 40 },
);

test('for keys that are there, that are not, and that another leaf stands for', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), (blocks) => {
      const pairs = new Map<string, string>();
      const buckets = new Map<number, Buffer>();
      const pages = new Map<number, Buffer>();
      const records = {
        bucket: (bucket: number) => buckets.get(bucket),
        treePage: (page: number) => pages.get(page),
      };
      const tree = new StateTree({ ...EMPTY_SOURCE, ...records });
      for (const [height, list] of blocks.entries()) {
        const changes = new Map(list);
        const writes = tree.update(changes, height);
        apply(pairs, changes);
        apply(buckets, writes.buckets);
        apply(pages, writes.pages);
      }
      const leaves: TreeLeaf[] = [...pairs]
        .map(([key, value]) => ({ keyHash: sha256(key), valueHash: sha256(value) }))
        .sort((a, b) => compareKeyHashes(a.keyHash, b.keyHash));
      const head = { height: 0, stateRoot: stateRoot(pairs) };
      for (const key of [...KEYS, 'nobody/1', 'nobody/2']) {
        const { siblings, leaf } = statePath(records, head, key);
        const wanted = subtreePath(leaves, sha256(key), 0);
        assert.deepEqual(siblings, wanted.siblings.map(bytesToHex));
        assert.deepEqual(leaf && plain(leaf), wanted.leaf && plain(wanted.leaf));
      }
    }),
    { numRuns: 60 },
  );
});

function apply<Key, Value>(held: Map<Key, Value>, changes: ReadonlyMap<Key, Value | null>): void {
  for (const [key, value] of changes) {
    if (value === null) held.delete(key);
    else held.set(key, value);
  }
}

const plain = ({ keyHash, valueHash }: TreeLeaf): string[] => [keyHash, valueHash].map(bytesToHex);
