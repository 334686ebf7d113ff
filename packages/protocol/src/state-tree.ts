/**
 * The state tree: a binary Jellyfish Merkle tree over SHA-256(key), bits most significant first.
 *
 *   leaf  = SHA-256(0x00 ‖ SHA-256(key) ‖ SHA-256(value))
 *   inner = SHA-256(0x01 ‖ left ‖ right), an empty subtree counting as 32 zero bytes
 *   a subtree with one leaf is that leaf
 *
 * The root depends only on the set of pairs, never on their order.
 */
import { exactly, Type, type Static } from './type.ts';
import { bytesToHex, hexToBytes } from './bytes.ts';
import { sha256, sha256Hex, sha256Into } from './hash.ts';
import { Hash } from './schemas.ts';

export const TREE_DEPTH = 256;
export const EMPTY_NODE: Uint8Array = new Uint8Array(32);
export const EMPTY_ROOT = '00'.repeat(32);

export interface TreeLeaf {
  keyHash: Uint8Array;
  valueHash: Uint8Array;
}

export const StateProof = Type.Object(
  {
    key: Type.String({ description: 'The state key that was asked for.' }),
    value: Type.Unknown({ description: 'The JSON value, if the key is present.' }),
    leaf: Type.Union(
      [
        exactly({ kind: Type.Literal('present') }),
        exactly({ kind: Type.Literal('empty') }),
        exactly({ kind: Type.Literal('other'), keyHash: Hash, valueHash: Hash }),
      ],
      {
        description:
          'The end of the path: the key itself, nothing, or another key that shares the path.',
      },
    ),
    siblings: Type.Array(Hash, {
      maxItems: TREE_DEPTH,
      description: 'Sibling hashes from the leaf to the root; an empty subtree is 64 zeros.',
    }),
    root: Hash,
  },
  { title: 'StateProof', additionalProperties: true },
);
export type StateProof = Static<typeof StateProof>;

export type ProofVerdict = { ok: true; present: boolean } | { ok: false; reason: string };

const leafInput = new Uint8Array(65);
const innerInput = new Uint8Array(65);
leafInput[0] = 0x00;
innerInput[0] = 0x01;

export function leafNodeInto(leaf: TreeLeaf, target: Uint8Array, offset: number): void {
  leafInput.set(leaf.keyHash, 1);
  leafInput.set(leaf.valueHash, 33);
  sha256Into(leafInput, target, offset);
}

export function innerNodeInto(
  left: Uint8Array,
  right: Uint8Array,
  target: Uint8Array,
  offset: number,
): void {
  innerInput.set(left, 1);
  innerInput.set(right, 33);
  sha256Into(innerInput, target, offset);
}

export function bitAt(keyHash: Uint8Array, depth: number): 0 | 1 {
  return (((keyHash[depth >> 3] ?? 0) >> (7 - (depth & 7))) & 1) as 0 | 1;
}

export function compareKeyHashes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < 32; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Requires leaves that share their first `depth` bits and are sorted by key hash. */
export function subtreeNode(
  leaves: readonly TreeLeaf[],
  depth: number,
  from = 0,
  to = leaves.length,
): Uint8Array {
  if (from === to) return EMPTY_NODE;
  const node = new Uint8Array(32);
  if (to - from === 1) {
    leafNodeInto(leafAt(leaves, from), node, 0);
    return node;
  }
  if (depth === TREE_DEPTH) throw new RangeError('a key stands twice');
  const middle = splitPoint(leaves, depth, from, to);
  const left = subtreeNode(leaves, depth + 1, from, middle);
  const right = subtreeNode(leaves, depth + 1, middle, to);
  innerNodeInto(left, right, node, 0);
  return node;
}

/**
 * Returns siblings from leaf to root, and the leaf at that place. The sorted leaves share their first `depth`
 * bits.
 */
export function subtreePath(
  leaves: readonly TreeLeaf[],
  keyHash: Uint8Array,
  depth: number,
): { siblings: Uint8Array[]; leaf: TreeLeaf | null } {
  const siblings: Uint8Array[] = [];
  let from = 0;
  let to = leaves.length;
  for (let level = depth; to - from > 1; level++) {
    const middle = splitPoint(leaves, level, from, to);
    if (bitAt(keyHash, level) === 0) {
      siblings.push(subtreeNode(leaves, level + 1, middle, to));
      to = middle;
    } else {
      siblings.push(subtreeNode(leaves, level + 1, from, middle));
      from = middle;
    }
  }
  return { siblings: siblings.reverse(), leaf: to > from ? leafAt(leaves, from) : null };
}

/**
 * Defines the root, for tests, vectors and restored checkpoints.
 * @throws RangeError if a key is repeated
 */
export function stateRoot(
  pairs: Iterable<readonly [key: string, value: Uint8Array | string]>,
): string {
  const leaves: TreeLeaf[] = [];
  for (const [key, value] of pairs) leaves.push({ keyHash: sha256(key), valueHash: sha256(value) });
  leaves.sort((a, b) => compareKeyHashes(a.keyHash, b.keyHash));
  return bytesToHex(subtreeNode(leaves, 0));
}

/** @param valueJson the canonical JSON of the value; null for a proof of absence */
export function verifyStateProof(
  key: string,
  valueJson: string | null,
  proof: Pick<StateProof, 'leaf' | 'siblings'>,
  root: string,
): ProofVerdict {
  const { leaf, siblings } = proof;
  if (siblings.length > TREE_DEPTH)
    return { ok: false, reason: 'there are more siblings than bits' };
  if (![root, ...siblings].every((text) => /^[a-f0-9]{64}$/.test(text))) {
    return { ok: false, reason: 'a hash is not 64 lowercase hex digits' };
  }
  const keyHash = sha256(key);
  let node: Uint8Array = new Uint8Array(32);
  if (leaf.kind === 'present') {
    if (valueJson === null) return { ok: false, reason: 'presence is claimed without a value' };
    leafNodeInto({ keyHash, valueHash: sha256(valueJson) }, node, 0);
  } else {
    if (valueJson !== null) return { ok: false, reason: 'absence is claimed with a value' };
    if (leaf.kind === 'other') {
      // A shorter hash would leave bytes of an earlier leaf in the shared input, which could forge an
      // absence.
      if (![leaf.keyHash, leaf.valueHash].every((text) => /^[a-f0-9]{64}$/.test(text))) {
        return { ok: false, reason: 'a hash is not 64 lowercase hex digits' };
      }
      const other = hexToBytes(leaf.keyHash);
      if (compareKeyHashes(other, keyHash) === 0) {
        return { ok: false, reason: 'the other leaf is the key itself' };
      }
      for (let depth = 0; depth < siblings.length; depth++) {
        if (bitAt(other, depth) !== bitAt(keyHash, depth)) {
          return { ok: false, reason: 'the other leaf does not share the path' };
        }
      }
      leafNodeInto({ keyHash: other, valueHash: hexToBytes(leaf.valueHash) }, node, 0);
    } else if (leaf.kind === 'empty') {
      node = EMPTY_NODE;
    } else {
      return { ok: false, reason: 'the leaf is of no known kind' };
    }
  }
  for (let i = 0; i < siblings.length; i++) {
    const depth = siblings.length - 1 - i;
    const sibling = hexToBytes(siblings[i] ?? '');
    const above = new Uint8Array(32);
    if (bitAt(keyHash, depth) === 0) innerNodeInto(node, sibling, above, 0);
    else innerNodeInto(sibling, node, above, 0);
    node = above;
  }
  if (bytesToHex(node) !== root) return { ok: false, reason: 'the path does not lead to the root' };
  return { ok: true, present: leaf.kind === 'present' };
}

export function stateKeyHash(key: string): string {
  return sha256Hex(key);
}

function splitPoint(leaves: readonly TreeLeaf[], depth: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bitAt(leafAt(leaves, middle).keyHash, depth) === 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function leafAt(leaves: readonly TreeLeaf[], index: number): TreeLeaf {
  const leaf = leaves[index];
  if (!leaf) throw new RangeError('no such leaf');
  return leaf;
}
