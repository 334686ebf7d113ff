import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import {
  merkleProof,
  merkleProofInSubtrees,
  merkleRoot,
  merkleSubtrees,
  rootOfSubtrees,
  SUBTREE_LEAVES,
  verifyMerkleProof,
} from './merkle.ts';

const sha = (...parts: (Buffer | string)[]): Buffer => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};

/** MTH as RFC 6962 section 2.1 defines it. */
function mth(list: readonly Buffer[]): Buffer {
  if (list.length === 0) return sha('');
  if (list.length === 1) return sha(Buffer.of(0), list[0]!);
  let k = 1;
  while (k * 2 < list.length) k *= 2;
  return sha(Buffer.of(1), mth(list.slice(0, k)), mth(list.slice(k)));
}

const inputs = Array.from({ length: 40 }, (_, i) => sha(`entry ${i}`));
const leaves = inputs.map((input) => input.toString('hex'));
const roots = Array.from({ length: 41 }, (_, size) => mth(inputs.slice(0, size)).toString('hex'));

test('refuses an index outside the list', () => {
  for (const index of [-1, 3, 1.5, Number.NaN]) {
    assert.throws(() => merkleProof(leaves.slice(0, 3), index), RangeError);
    const place = { index, treeSize: 3 };
    const list = leaves.slice(0, 3);
    assert.throws(() => merkleProofInSubtrees(merkleSubtrees(list), list, place), RangeError);
  }
  assert.throws(() => merkleProof([], 0), RangeError);
});

test('refuses a leaf that is not 32 bytes, whatever was hashed before', () => {
  merkleRoot(leaves);
  for (const leaf of ['', 'ab', leaves[0]!.slice(2), `${leaves[0]}00`, 'x'.repeat(64)]) {
    assert.throws(() => merkleRoot([leaf]), Error);
    assert.throws(() => merkleRoot([leaves[0]!, leaf]), Error);
  }
});

test('roots of 0 to 40 leaves are those of the RFC’s recursive definition', () => {
  for (let size = 0; size <= 40; size++) {
    assert.equal(merkleRoot(leaves.slice(0, size)), roots[size], `size ${size}`);
  }
});

test('every proof of every list verifies, and as nothing else', () => {
  for (let size = 1; size <= 40; size++) {
    const list = leaves.slice(0, size);
    for (let index = 0; index < size; index++) {
      const proof = merkleProof(list, index);
      const root = roots[size]!;
      const leaf = list[index]!;
      const where = `${index} of ${size}`;
      assert.ok(verifyMerkleProof(leaf, proof, root), where);
      const { path } = proof;
      const lies = [
        { ...proof, index: index + 1 },
        { ...proof, index: index - 1 },
        { ...proof, index: index + 0.5 },
        { ...proof, path: [...path, roots[0]!] },
        { ...proof, path: path.slice(0, -1) },
        { ...proof, path: path.slice(1) },
        { ...proof, path: path.map((text, i) => (i === path.length - 1 ? root : text)) },
      ].filter((lie) => lie.index !== index || lie.path.join() !== path.join());
      for (const lie of lies) assert.equal(verifyMerkleProof(leaf, lie, root), false, where);
      assert.equal(verifyMerkleProof(leaves[(index + 1) % 40]!, proof, root), false, where);
      assert.equal(verifyMerkleProof(leaf, proof, roots[0]!), false, where);
    }
  }
});

test('a list cut into subtrees has the same root and the same proofs', () => {
  const long = Array.from({ length: 4 * SUBTREE_LEAVES + 3 }, (_, i) => sha(`long ${i}`)).map(
    (input) => input.toString('hex'),
  );
  for (const size of [0, 1, 63, 64, 65, 127, 128, 129, 192, 193, long.length]) {
    const list = long.slice(0, size);
    const subtrees = merkleSubtrees(list);
    assert.equal(subtrees.length, Math.ceil(size / SUBTREE_LEAVES));
    assert.equal(rootOfSubtrees(subtrees), merkleRoot(list), `size ${size}`);
    for (const index of new Set([0, 1, 62, 63, 64, 65, size - 2, size - 1])) {
      if (index < 0 || index >= size) continue;
      const first = index - (index % SUBTREE_LEAVES);
      const own = list.slice(first, first + SUBTREE_LEAVES);
      const proof = merkleProofInSubtrees(subtrees, own, { index, treeSize: size });
      assert.deepEqual(proof, merkleProof(list, index), `${index} of ${size}`);
    }
  }
});

test('a wrong size verifies only if the path stays the same, which the count of the header excludes', () => {
  // RFC 6962 proofs don't bind the size: 0 of 3 and 0 of 4 have paths of the same shape.
  const proof = merkleProof(leaves.slice(0, 3), 0);
  assert.ok(verifyMerkleProof(leaves[0]!, { ...proof, treeSize: 4 }, roots[3]!));
  assert.equal(verifyMerkleProof(leaves[0]!, { ...proof, treeSize: 5 }, roots[3]!), false);
  assert.equal(verifyMerkleProof(leaves[0]!, { ...proof, treeSize: 2 }, roots[3]!), false);
});

test('positions beyond 32 bits', () => {
  const proof = { index: 2 ** 40, treeSize: 2 ** 40 + 1, path: [roots[5]!] };
  const root = sha(Buffer.of(1), Buffer.from(roots[5]!, 'hex'), sha(Buffer.of(0), inputs[0]!));
  assert.ok(verifyMerkleProof(leaves[0]!, proof, root.toString('hex')));
});

test('a path longer than the size allows does not stand for a larger tree', () => {
  const root = roots[2]!;
  const path = merkleProof(leaves.slice(0, 2), 1).path;
  assert.ok(verifyMerkleProof(leaves[1]!, { index: 1, treeSize: 2, path }, root));
  assert.equal(verifyMerkleProof(leaves[1]!, { index: 0, treeSize: 1, path }, root), false);
});
