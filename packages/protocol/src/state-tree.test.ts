import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { bytesToHex, hexToBytes } from './bytes.ts';
import { sha256, sha256Hex } from './hash.ts';
import {
  bitAt,
  compareKeyHashes,
  EMPTY_ROOT,
  stateKeyHash,
  stateRoot,
  subtreeNode,
  subtreePath,
  verifyStateProof,
  type StateProof,
  type TreeLeaf,
} from './state-tree.ts';

type Leaf = readonly [key: Buffer, value: Buffer];
type Pair = readonly [key: string, value: string];

const sha = (...parts: (Uint8Array | string)[]): Buffer => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};

/** The tree's definition. */
function defined(leaves: readonly Leaf[], depth = 0): Buffer {
  if (leaves.length === 0) return Buffer.alloc(32);
  if (leaves.length === 1) return sha(Buffer.of(0), ...leaves[0]!);
  const isOne = ([key]: Leaf): boolean => ((key[depth >> 3]! >> (7 - (depth % 8))) & 1) === 1;
  const left = leaves.filter((leaf) => !isOne(leaf));
  const right = leaves.filter(isOne);
  return sha(Buffer.of(1), defined(left, depth + 1), defined(right, depth + 1));
}

const pairs = Array.from({ length: 200 }, (_, i): Pair => [`account/${i}`, `{"balance":${i}}`]);
const definedRoot = (list: readonly Pair[]): string =>
  defined(list.map(([key, value]): Leaf => [sha(key), sha(value)])).toString('hex');

function leavesOf(list: readonly Pair[]): TreeLeaf[] {
  return list
    .map(([key, value]) => ({ keyHash: sha256(key), valueHash: sha256(value) }))
    .toSorted((a, b) => compareKeyHashes(a.keyHash, b.keyHash));
}

function prove(list: readonly Pair[], key: string): Pick<StateProof, 'leaf' | 'siblings'> {
  const { siblings, leaf } = subtreePath(leavesOf(list), sha256(key), 0);
  const own = leaf !== null && compareKeyHashes(leaf.keyHash, sha256(key)) === 0;
  return {
    siblings: siblings.map((sibling) => bytesToHex(sibling)),
    leaf:
      leaf === null
        ? { kind: 'empty' }
        : own
          ? { kind: 'present' }
          : {
              kind: 'other',
              keyHash: bytesToHex(leaf.keyHash),
              valueHash: bytesToHex(leaf.valueHash),
            },
  };
}

const small = pairs.slice(0, 20);
const root = stateRoot(small);

describe('refuses', () => {
  const [key, value] = small[7]!;
  const proof = prove(small, key);
  const own = { keyHash: stateKeyHash(key), valueHash: sha256Hex(value) };
  const reasonOf = (
    claim: Partial<Pick<StateProof, 'leaf' | 'siblings'>>,
    valueJson: string | null,
    top = root,
    about = key,
  ): string => {
    // Verify a true proof first, to detect leftover state.
    assert.deepEqual(verifyStateProof(key, value, proof, root), { ok: true, present: true });
    const verdict = verifyStateProof(about, valueJson, { ...proof, ...claim }, top);
    return verdict.ok ? 'accepted' : verdict.reason;
  };
  const ASTRAY = 'the path does not lead to the root';

  test('another value, key or root', () => {
    assert.equal(reasonOf({}, '{"balance":8}'), ASTRAY);
    assert.equal(reasonOf({}, value, root, 'account/8'), ASTRAY);
    assert.equal(reasonOf({}, value, EMPTY_ROOT), ASTRAY);
  });
  test('presence without a value and absence with one', () => {
    assert.match(reasonOf({}, null), /without a value/);
    assert.match(reasonOf({ leaf: { kind: 'empty' } }, value), /with a value/);
  });
  test('a present key said to be absent', () => {
    assert.equal(reasonOf({ leaf: { kind: 'empty' } }, null), ASTRAY);
    assert.match(reasonOf({ leaf: { kind: 'other', ...own } }, null), /is the key itself/);
    for (let i = 0; i < small.length; i++) {
      const other = { keyHash: stateKeyHash(small[i]![0]), valueHash: sha256Hex(small[i]![1]) };
      for (const siblings of [proof.siblings, prove(small, small[i]![0]).siblings]) {
        const reason = reasonOf({ leaf: { kind: 'other', ...other }, siblings }, null);
        assert.match(reason, /does not share the path|is the key itself|does not lead/);
      }
    }
  });
  test('a true leaf of the tree that does not share the path', () => {
    const [stranger] = small.find(([name]) => bitAt(sha256(name), 0) !== bitAt(sha256(key), 0))!;
    const leaf = {
      kind: 'other',
      keyHash: stateKeyHash(stranger),
      valueHash: sha256Hex(small.find(([name]) => name === stranger)![1]),
    } as const;
    assert.equal(
      reasonOf({ leaf, siblings: prove(small, stranger).siblings }, null),
      'the other leaf does not share the path',
    );
  });
  test('hashes that are not 64 lowercase hex digits, at every length', () => {
    for (let length = 0; length < 64; length++) {
      for (const leaf of [
        { ...own, keyHash: own.keyHash.slice(0, length) },
        { ...own, valueHash: own.valueHash.slice(0, length) },
        { keyHash: own.keyHash.slice(0, length), valueHash: own.valueHash.slice(0, length) },
      ]) {
        assert.match(reasonOf({ leaf: { kind: 'other', ...leaf } }, null), /64 lowercase hex/);
      }
    }
    assert.match(
      reasonOf({ leaf: { kind: 'other', ...own, keyHash: 'g'.repeat(64) } }, null),
      /64 lowercase/,
    );
    assert.match(reasonOf({ siblings: ['ab'] }, value), /64 lowercase hex/);
    assert.match(reasonOf({ siblings: [root.toUpperCase()] }, value), /64 lowercase hex/);
    assert.match(reasonOf({}, value, ''), /64 lowercase hex/);
  });
  test('siblings cut, added, changed or turned round', () => {
    const { siblings } = proof;
    for (let i = 0; i < siblings.length; i++) {
      assert.equal(reasonOf({ siblings: siblings.toSpliced(i, 1) }, value), ASTRAY);
      assert.equal(reasonOf({ siblings: siblings.toSpliced(i, 0, EMPTY_ROOT) }, value), ASTRAY);
      assert.equal(reasonOf({ siblings: siblings.with(i, root) }, value), ASTRAY);
    }
    assert.equal(reasonOf({ siblings: siblings.toReversed() }, value), ASTRAY);
    const many = Array.from({ length: 257 }, () => EMPTY_ROOT);
    assert.match(reasonOf({ siblings: many }, value), /more siblings than bits/);
  });
  test('a repeated key', () => {
    assert.throws(() => stateRoot([...small, small[0]!]), /twice/);
  });
});

test('roots are those of the recursive definition, for 0 to 200 pairs', () => {
  for (const size of [0, 1, 2, 3, 4, 5, 8, 13, 50, 200]) {
    const list = pairs.slice(0, size);
    assert.equal(stateRoot(list), definedRoot(list), `${size} pairs`);
  }
  assert.equal(stateRoot([]), EMPTY_ROOT);
});

test('the order of the pairs does not matter, and a deletion equals never having had the pair', () => {
  assert.equal(stateRoot(small.toReversed()), root);
  assert.equal(stateRoot([...small.slice(11), ...small.slice(0, 11)]), root);
  const deleted = stateRoot(small.filter((_, i) => i !== 5));
  assert.notEqual(deleted, root);
  assert.equal(stateRoot([...small.slice(0, 5), ...small.slice(6)]), deleted);
});

test('text and bytes of a value are the same', () => {
  assert.equal(stateRoot([['k', '"é"']]), stateRoot([['k', Buffer.from('"é"')]]));
});

test('presence of every key and absence of many others are proved', () => {
  const kinds = new Set<string>();
  for (const [key, value] of small) {
    const proof = prove(small, key);
    assert.equal(proof.leaf.kind, 'present');
    assert.deepEqual(verifyStateProof(key, value, proof, root), { ok: true, present: true });
  }
  for (let i = 20; i < 120; i++) {
    const proof = prove(small, `account/${i}`);
    kinds.add(proof.leaf.kind);
    assert.deepEqual(verifyStateProof(`account/${i}`, null, proof, root), {
      ok: true,
      present: false,
    });
    const leaf = { ...proof.leaf, kind: `${proof.leaf.kind}x` as 'empty' };
    assert.equal(verifyStateProof(`account/${i}`, null, { ...proof, leaf }, root).ok, false);
  }
  assert.deepEqual([...kinds].toSorted(), ['empty', 'other']);
});

test('absence in the empty tree and beside a lone leaf', () => {
  assert.deepEqual(verifyStateProof('a', null, prove([], 'a'), EMPTY_ROOT), {
    ok: true,
    present: false,
  });
  const lone: Pair[] = [['a', '1']];
  assert.deepEqual(verifyStateProof('b', null, prove(lone, 'b'), stateRoot(lone)), {
    ok: true,
    present: false,
  });
});

test('keys that share 255 bits', () => {
  const a = new Uint8Array(32).fill(0x55);
  const b = a.with(31, 0x54);
  const valueHash = sha256('1');
  const leaves = [
    { keyHash: b, valueHash },
    { keyHash: a, valueHash },
  ];
  const top = subtreeNode(leaves, 0);
  assert.equal(
    bytesToHex(top),
    defined([
      [Buffer.from(a), Buffer.from(valueHash)],
      [Buffer.from(b), Buffer.from(valueHash)],
    ]).toString('hex'),
  );
  assert.equal(subtreePath(leaves, a, 0).siblings.length, 256);
});

test('bits run from the most significant', () => {
  const keyHash = hexToBytes(`81${'00'.repeat(30)}01`);
  assert.deepEqual(
    [0, 1, 6, 7, 8, 254, 255].map((depth) => bitAt(keyHash, depth)),
    [1, 0, 0, 1, 0, 0, 1],
  );
});
