/**
 * What the database holds of the state tree: a bucket record for every group of keys that share 20 bits, and pages of
 * the nodes at depth 14. Both follow from the pairs of the state alone, so that a replay gives the same bytes.
 */
import { compareKeyHashes, subtreeNode, type TreeLeaf } from '@netd/protocol';

/** Down to here the tree is in memory; its lowest level is what the pages hold. */
export const TRUNK_DEPTH = 14;
/** Below here the leaves of a bucket stand in one record. */
export const BUCKET_DEPTH = 20;
export const TRUNK_NODES = 1 << TRUNK_DEPTH;
export const BUCKETS = 1 << BUCKET_DEPTH;
/** Neighbouring nodes in one page: with the hashes of all of them it has 1,056 bytes, a quarter of a database page. */
export const PAGE_NODES = 32;

export const EMPTY = 0;
export const LONE_LEAF = 1;
export const INNER = 2;

/** A node: one of the three kinds, and 32 bytes at an offset (zeros where it is empty). */
export interface TreeNode {
  kind: number;
  bytes: Uint8Array;
  offset: number;
}

/** The first 20 bits of a key hash. */
export function bucketOf(keyHash: Uint8Array): number {
  return ((keyHash[0] ?? 0) << 12) | ((keyHash[1] ?? 0) << 4) | ((keyHash[2] ?? 0) >> 4);
}

/** A bucket record: its node, then key hash and value hash of each leaf. Null where it has no leaf. */
export function encodeBucket(leaves: readonly TreeLeaf[]): Buffer | null {
  if (leaves.length === 0) return null;
  const record = Buffer.allocUnsafe(32 + 64 * leaves.length);
  record.set(subtreeNode(leaves, BUCKET_DEPTH), 0);
  for (const [index, leaf] of leaves.entries()) {
    record.set(leaf.keyHash, 32 + 64 * index);
    record.set(leaf.valueHash, 64 + 64 * index);
  }
  return record;
}

export function decodeLeaves(record: Uint8Array | undefined): TreeLeaf[] {
  const leaves: TreeLeaf[] = [];
  if (!record) return leaves;
  for (let at = 32; at < record.length; at += 64) {
    leaves.push({
      keyHash: record.subarray(at, at + 32),
      valueHash: record.subarray(at + 32, at + 64),
    });
  }
  return leaves;
}

/** The node that a bucket record says it has. */
export function bucketNode(record: Uint8Array): TreeNode {
  return { kind: record.length === 32 + 64 ? LONE_LEAF : INNER, bytes: record, offset: 0 };
}

/** @param changes sorted or not; a null value hash deletes */
export function mergeLeaves(
  leaves: TreeLeaf[],
  changes: readonly { keyHash: Uint8Array; valueHash: Uint8Array | null }[],
): TreeLeaf[] {
  for (const { keyHash, valueHash } of changes) {
    let at = leaves.findIndex((leaf) => compareKeyHashes(leaf.keyHash, keyHash) >= 0);
    if (at < 0) at = leaves.length;
    const there = leaves[at];
    const same = there !== undefined && compareKeyHashes(there.keyHash, keyHash) === 0;
    if (valueHash === null) {
      if (same) leaves.splice(at, 1);
    } else {
      leaves.splice(at, same ? 1 : 0, { keyHash, valueHash });
    }
  }
  return leaves;
}

/**
 * A page: the kind of each node in one byte, then the 32 bytes of each that is not empty. Null where all are empty.
 * @param nodes as they lie in memory, empty ones included
 */
export function encodePage(nodes: { kinds: Uint8Array; bytes: Buffer }): Buffer | null {
  const { kinds, bytes } = nodes;
  let present = 0;
  for (const kind of kinds) if (kind !== EMPTY) present++;
  if (present === 0) return null;
  const record = Buffer.allocUnsafe(PAGE_NODES + 32 * present);
  record.set(kinds, 0);
  let end = PAGE_NODES;
  for (const [index, kind] of kinds.entries()) {
    if (kind !== EMPTY) end += bytes.copy(record, end, 32 * index, 32 * index + 32);
  }
  return record;
}

/** The nodes of a page, or null where these bytes are none. */
export function decodePage(record: Uint8Array): TreeNode[] | null {
  const nodes: TreeNode[] = [];
  let offset = PAGE_NODES;
  for (const kind of record.subarray(0, PAGE_NODES)) {
    if (kind > INNER) return null;
    nodes.push({ kind, bytes: record, offset });
    if (kind !== EMPTY) offset += 32;
  }
  return nodes.length === PAGE_NODES && offset === record.length ? nodes : null;
}
