import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { bytesToHex } from './bytes.ts';
import { sha256, sha256Hex } from './hash.ts';
import { merkleProof, merkleRoot, verifyMerkleProof } from './merkle.ts';
import {
  compareKeyHashes,
  stateRoot,
  subtreePath,
  verifyStateProof,
  type StateProof,
} from './state-tree.ts';

type State = Map<string, string>;

const state = fc
  .uniqueArray(fc.tuple(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 })), {
    selector: ([key]) => key,
    maxLength: 40,
  })
  .map((pairs): State => new Map(pairs));

function prove(pairs: State, key: string): Pick<StateProof, 'leaf' | 'siblings'> {
  const leaves = [...pairs]
    .map(([name, value]) => ({ keyHash: sha256(name), valueHash: sha256(value) }))
    .toSorted((a, b) => compareKeyHashes(a.keyHash, b.keyHash));
  const { siblings, leaf } = subtreePath(leaves, sha256(key), 0);
  const end = (): StateProof['leaf'] => {
    if (leaf === null) return { kind: 'empty' };
    if (compareKeyHashes(leaf.keyHash, sha256(key)) === 0) return { kind: 'present' };
    return {
      kind: 'other',
      keyHash: bytesToHex(leaf.keyHash),
      valueHash: bytesToHex(leaf.valueHash),
    };
  };
  return { siblings: siblings.map((sibling) => bytesToHex(sibling)), leaf: end() };
}

test('every key is proved present and none absent; every other key is proved absent', () => {
  fc.assert(
    fc.property(
      state,
      fc.array(fc.string({ maxLength: 8 }), { maxLength: 10 }),
      (pairs, others) => {
        const root = stateRoot(pairs);
        for (const key of [...pairs.keys(), ...others]) {
          const value = pairs.get(key) ?? null;
          const proof = prove(pairs, key);
          const verdict = verifyStateProof(key, value, proof, root);
          assert.deepEqual(verdict, { ok: true, present: value !== null });
          // The same path must not prove the opposite.
          const opposite = value === null ? '' : null;
          const leaves: StateProof['leaf'][] = [{ kind: 'present' }, { kind: 'empty' }, proof.leaf];
          for (const leaf of leaves) {
            assert.equal(verifyStateProof(key, opposite, { ...proof, leaf }, root).ok, false);
          }
        }
      },
    ),
  );
});

test('the state root is a function of the pairs: no order, no history', () => {
  fc.assert(
    fc.property(state, fc.nat(), (pairs, pick) => {
      const list = [...pairs];
      const root = stateRoot(list);
      assert.equal(stateRoot(list.toReversed()), root);
      if (list.length === 0) return;
      const removed = list[pick % list.length]!;
      const rest = list.filter((pair) => pair !== removed);
      assert.notEqual(stateRoot(rest), root);
      assert.equal(stateRoot([...rest, removed]), root);
    }),
  );
});

test('a Merkle proof verifies for its own leaf, place and root alone', () => {
  const place = fc
    .integer({ min: 1, max: 300 })
    .chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1), fc.nat(size - 1)));
  fc.assert(
    fc.property(place, ([size, index, another]) => {
      const leaves = Array.from({ length: size }, (_, i) => sha256Hex(`${i}`));
      const root = merkleRoot(leaves);
      const proof = merkleProof(leaves, index);
      assert.ok(verifyMerkleProof(leaves[index]!, proof, root));
      if (another === index) return;
      assert.equal(verifyMerkleProof(leaves[another]!, proof, root), false);
      assert.equal(verifyMerkleProof(leaves[index]!, { ...proof, index: another }, root), false);
    }),
  );
});
