/** Merkle lists as RFC 6962 section 2.1 defines them; a leaf's input is the 32 raw bytes of a hash. */
import { bytesToHex, hexToBytes } from './bytes.ts';
import { sha256, sha256Into } from './hash.ts';

export interface MerkleProof {
  /** Position of the leaf, from 0. */
  index: number;
  treeSize: number;
  /** Sibling hashes from the leaf to the root, 64 hex digits each. */
  path: string[];
}

/** The root of a list of hashes (64 hex digits each); SHA-256 of nothing for the empty list. */
export function merkleRoot(hashes: readonly string[]): string {
  return hashes.length === 0 ? bytesToHex(sha256('')) : bytesToHex(climb(hashes.map(leafHash), 0));
}

/** @throws RangeError where index is outside the list */
export function merkleProof(hashes: readonly string[], index: number): MerkleProof {
  requireIndex(index, hashes.length);
  const path: string[] = [];
  climb(hashes.map(leafHash), index, path);
  return { index, treeSize: hashes.length, path };
}

/** Leaves of a subtree that `merkleSubtrees` sums up in one hash. */
export const SUBTREE_LEAVES = 64;

/**
 * A list cut into subtrees of SUBTREE_LEAVES leaves, the last perhaps smaller: the root of each. With them and the
 * hashes of one subtree any leaf of it is proven, so that a proof in a long list costs little.
 */
export function merkleSubtrees(hashes: readonly string[]): string[] {
  const roots: string[] = [];
  for (let first = 0; first < hashes.length; first += SUBTREE_LEAVES) {
    roots.push(merkleRoot(hashes.slice(first, first + SUBTREE_LEAVES)));
  }
  return roots;
}

/** `merkleRoot` of the list that was cut. */
export function rootOfSubtrees(subtrees: readonly string[]): string {
  return subtrees.length === 0 ? merkleRoot([]) : bytesToHex(climb(subtrees.map(hexToBytes), 0));
}

/**
 * `merkleProof` of the list that was cut.
 * @param own the hashes of the subtree that the leaf is in
 * @throws RangeError where index is outside the list
 */
export function merkleProofInSubtrees(
  subtrees: readonly string[],
  own: readonly string[],
  { index, treeSize }: { index: number; treeSize: number },
): MerkleProof {
  requireIndex(index, treeSize);
  const path: string[] = [];
  climb(own.map(leafHash), index % SUBTREE_LEAVES, path);
  climb(subtrees.map(hexToBytes), Math.floor(index / SUBTREE_LEAVES), path);
  return { index, treeSize, path };
}

function requireIndex(index: number, size: number): void {
  if (!Number.isInteger(index) || index < 0 || index >= size) {
    throw new RangeError(`index ${index} is outside a list of ${size}`);
  }
}

/** The root above the nodes of one level; the siblings on the way up from `position` are put into `path`. */
function climb(nodes: Uint8Array[], position: number, path?: string[]): Uint8Array {
  let level = nodes;
  let here = position;
  while (level.length > 1) {
    const sibling = level[here ^ 1];
    if (path && sibling) path.push(bytesToHex(sibling));
    const above: Uint8Array[] = [];
    for (let i = 0; i + 1 < level.length; i += 2)
      above.push(innerHash(at(level, i), at(level, i + 1)));
    // An odd one out moves up unchanged, which is RFC 6962's split at the largest power of two.
    if (level.length % 2 === 1) above.push(at(level, level.length - 1));
    level = above;
    here >>= 1;
  }
  return at(level, 0);
}

/** Whether `hash` is the leaf that the proof says it is, under `root` (RFC 9162 section 2.1.3.2). */
export function verifyMerkleProof(hash: string, proof: MerkleProof, root: string): boolean {
  const { index, treeSize, path } = proof;
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(treeSize)) return false;
  if (index < 0 || index >= treeSize || path.length > 64) return false;
  if (![hash, root, ...path].every((text) => /^[a-f0-9]{64}$/.test(text))) return false;
  let position = index;
  let last = treeSize - 1;
  let node = leafHash(hash);
  for (const text of path) {
    if (last === 0) return false;
    const sibling = hexToBytes(text);
    if (position % 2 === 1 || position === last) {
      node = innerHash(sibling, node);
      while (position % 2 === 0 && position !== 0) {
        position = Math.floor(position / 2);
        last = Math.floor(last / 2);
      }
    } else {
      node = innerHash(node, sibling);
    }
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && bytesToHex(node) === root;
}

const leafInput = new Uint8Array(33);
const innerInput = new Uint8Array(65);

function leafHash(hash: string): Uint8Array {
  if (hash.length !== 64) throw new RangeError('a leaf is not 64 hex digits');
  leafInput[0] = 0x00;
  leafInput.set(hexToBytes(hash), 1);
  return sha256(leafInput);
}

function innerHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  innerInput[0] = 0x01;
  innerInput.set(left, 1);
  innerInput.set(right, 33);
  const digest = new Uint8Array(32);
  sha256Into(innerInput, digest, 0);
  return digest;
}

function at(level: Uint8Array[], index: number): Uint8Array {
  const node = level[index];
  if (!node) throw new RangeError('no such node');
  return node;
}
