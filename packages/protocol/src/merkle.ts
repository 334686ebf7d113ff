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
  if (hashes.length === 0) return bytesToHex(sha256(''));
  let level = hashes.map(leafHash);
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let i = 0; i + 1 < level.length; i += 2)
      above.push(innerHash(at(level, i), at(level, i + 1)));
    // An odd one out moves up unchanged, which is RFC 6962's split at the largest power of two.
    if (level.length % 2 === 1) above.push(at(level, level.length - 1));
    level = above;
  }
  return bytesToHex(at(level, 0));
}

/** @throws RangeError where index is outside the list */
export function merkleProof(hashes: readonly string[], index: number): MerkleProof {
  if (!Number.isInteger(index) || index < 0 || index >= hashes.length) {
    throw new RangeError(`index ${index} is outside a list of ${hashes.length}`);
  }
  const path: string[] = [];
  let level = hashes.map(leafHash);
  let position = index;
  while (level.length > 1) {
    const sibling = level[position ^ 1];
    if (sibling) path.push(bytesToHex(sibling));
    const above: Uint8Array[] = [];
    for (let i = 0; i + 1 < level.length; i += 2)
      above.push(innerHash(at(level, i), at(level, i + 1)));
    if (level.length % 2 === 1) above.push(at(level, level.length - 1));
    level = above;
    position >>= 1;
  }
  return { index, treeSize: hashes.length, path };
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
