/** Merkle lists (RFC 6962 section 2.1). The input of a leaf is the 32 raw bytes of a hash. */
import { bytesToHex, hexInto } from './bytes.ts';
import { sha256, sha256Into } from './hash.ts';

export interface MerkleProof {
  index: number;
  treeSize: number;
  path: string[];
}

export function merkleRoot(hashes: readonly string[]): string {
  return hashes.length === 0 ? bytesToHex(sha256('')) : climb(leavesOf(hashes), 0);
}

export function merkleProof(hashes: readonly string[], index: number): MerkleProof {
  requireIndex(index, hashes.length);
  const path: string[] = [];
  climb(leavesOf(hashes), index, path);
  return { index, treeSize: hashes.length, path };
}

export const SUBTREE_LEAVES = 64;

/**
 * Returns the roots of subtrees with SUBTREE_LEAVES leaves each. With these, the hashes of one subtree
 * suffice to prove any of its leaves.
 */
export function merkleSubtrees(hashes: readonly string[]): string[] {
  const roots: string[] = [];
  for (let first = 0; first < hashes.length; first += SUBTREE_LEAVES) {
    roots.push(merkleRoot(hashes.slice(first, first + SUBTREE_LEAVES)));
  }
  return roots;
}

export function rootOfSubtrees(subtrees: readonly string[]): string {
  return subtrees.length === 0 ? merkleRoot([]) : climb(nodesOf(subtrees), 0);
}

/**
 * Equals `merkleProof` of the whole list.
 * @param own the hashes of the leaf's subtree
 * @throws RangeError if index is outside the list
 */
export function merkleProofInSubtrees(
  subtrees: readonly string[],
  own: readonly string[],
  { index, treeSize }: { index: number; treeSize: number },
): MerkleProof {
  requireIndex(index, treeSize);
  const path: string[] = [];
  climb(leavesOf(own), index % SUBTREE_LEAVES, path);
  climb(nodesOf(subtrees), Math.floor(index / SUBTREE_LEAVES), path);
  return { index, treeSize, path };
}

function requireIndex(index: number, size: number): void {
  if (!Number.isInteger(index) || index < 0 || index >= size) {
    throw new RangeError(`index ${index} is outside a list of ${size}`);
  }
}

const NODE = 32;

function leavesOf(hashes: readonly string[]): Uint8Array {
  const level = new Uint8Array(NODE * hashes.length);
  for (let i = 0; i < hashes.length; i++) leafHashInto(hashes[i] ?? '', level, NODE * i);
  return level;
}

function nodesOf(hashes: readonly string[]): Uint8Array {
  const level = new Uint8Array(NODE * hashes.length);
  for (let i = 0; i < hashes.length; i++) hexInto(hashes[i] ?? '', level, NODE * i);
  return level;
}

/**
 * Returns the root in hex, and appends the siblings of `position` to `path`.
 * @param level overwritten level by level
 */
function climb(level: Uint8Array, position: number, path?: string[]): string {
  let here = position;
  for (let count = level.length / NODE; count > 1; count = Math.ceil(count / 2)) {
    const sibling = here ^ 1;
    if (path && sibling < count) path.push(hexOf(level, sibling));
    for (let i = 0; i + 1 < count; i += 2) {
      innerInput.set(level.subarray(NODE * i, NODE * (i + 2)), 1);
      sha256Into(innerInput, level, NODE * (i / 2));
    }
    // An odd node moves up unchanged, which is RFC 6962's split at the largest power of two.
    if (count % 2 === 1)
      level.copyWithin(NODE * ((count - 1) / 2), NODE * (count - 1), NODE * count);
    here >>= 1;
  }
  return hexOf(level, 0);
}

function hexOf(level: Uint8Array, node: number): string {
  return bytesToHex(level.subarray(NODE * node, NODE * (node + 1)));
}

export function verifyMerkleProof(hash: string, proof: MerkleProof, root: string): boolean {
  const { index, treeSize, path } = proof;
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(treeSize)) return false;
  if (index < 0 || index >= treeSize || path.length > 64) return false;
  if (![hash, root, ...path].every((text) => /^[a-f0-9]{64}$/.test(text))) return false;
  let position = index;
  let last = treeSize - 1;
  const node = new Uint8Array(NODE);
  leafHashInto(hash, node, 0);
  for (const text of path) {
    if (last === 0) return false;
    const isRight = position % 2 === 1 || position === last;
    innerInput.set(node, isRight ? 1 + NODE : 1);
    hexInto(text, innerInput, isRight ? 1 : 1 + NODE);
    sha256Into(innerInput, node, 0);
    if (isRight) {
      while (position % 2 === 0 && position !== 0) {
        position = Math.floor(position / 2);
        last = Math.floor(last / 2);
      }
    }
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && bytesToHex(node) === root;
}

/** Hash inputs: 0x00 ‖ hash for leaves, 0x01 ‖ left ‖ right for inner nodes. */
const leafInput = new Uint8Array(1 + NODE);
const innerInput = new Uint8Array(1 + 2 * NODE);
leafInput[0] = 0x00;
innerInput[0] = 0x01;

function leafHashInto(hash: string, target: Uint8Array, offset: number): void {
  if (hash.length !== 2 * NODE) throw new RangeError('a leaf is not 64 hex digits');
  hexInto(hash, leafInput, 1);
  sha256Into(leafInput, target, offset);
}
