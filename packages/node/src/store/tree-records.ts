/**
 * What the database holds of the state tree: a bucket record for every group of keys that share 18 bits, and pages of
 * the nodes at depth 14. Both follow from the pairs of the state alone, so that a replay gives the same bytes.
 */
import { sha256Into, type TreeLeaf } from '@netd/protocol';

/** Down to here the tree is read at the start; its lowest level is what the pages hold. */
export const TRUNK_DEPTH = 14;
/** Down to here the tree is in memory. Below, the leaves of a bucket stand in one record. */
export const BUCKET_DEPTH = 18;
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

/** What becomes of a key; null where it goes. */
export interface LeafChange {
  keyHash: Uint8Array;
  valueHash: Uint8Array | null;
}

/** Key hash, then value hash. */
export const LEAF = 64;
const QUARTERS = 4;
const QUARTER_DEPTH = BUCKET_DEPTH + 2;
/** A record of more leaves holds the nodes of its quarters too, so that a change hashes the leaves of one quarter. */
const LEAVES_WITHOUT_QUARTERS = 4;

/** The first 18 bits of a key hash. */
export function bucketOf(keyHash: Uint8Array): number {
  return ((keyHash[0] ?? 0) << 10) | ((keyHash[1] ?? 0) << 2) | ((keyHash[2] ?? 0) >> 6);
}

/** The two bits after them, of the key hash at an offset. */
function quarterAt(bytes: Uint8Array, offset: number): number {
  return ((bytes[offset + 2] ?? 0) >> 4) & 3;
}

/** Where the leaves of a record begin: after its own node, and those of its quarters where it has them. */
function leavesAt(record: Uint8Array): number {
  return record.length > 32 + LEAF * LEAVES_WITHOUT_QUARTERS ? 32 + 32 * QUARTERS : 32;
}

export function decodeLeaves(record: Uint8Array | undefined): TreeLeaf[] {
  const leaves: TreeLeaf[] = [];
  if (!record) return leaves;
  for (let at = leavesAt(record); at < record.length; at += LEAF) {
    leaves.push({
      keyHash: record.subarray(at, at + 32),
      valueHash: record.subarray(at + 32, at + LEAF),
    });
  }
  return leaves;
}

/** The node that a bucket record says it has. */
export function bucketNode(record: Uint8Array): TreeNode {
  return { kind: record.length === 32 + LEAF ? LONE_LEAF : INNER, bytes: record, offset: 0 };
}

/**
 * The record of a bucket after some changes: its node; the nodes of its quarters, where it has more than four leaves;
 * key hash and value hash of each leaf, in order. Null where no leaf is left.
 * @param record what it was, undefined where it had no leaf
 */
export function changeBucket(
  record: Uint8Array | undefined,
  changes: readonly LeafChange[],
): Buffer | null {
  let leaves: Uint8Array = record?.subarray(leavesAt(record)) ?? NOTHING;
  const changed = new Set<number>();
  for (const change of changes) {
    leaves = changeLeaf(leaves, change);
    changed.add(quarterAt(change.keyHash, 0));
  }
  return recordOf(leaves, record, (quarter) => changed.has(quarter));
}

/**
 * The record of a bucket with these leaves, null of none.
 * @param leaves key hash and value hash of each, in order
 */
export const bucketRecord = (leaves: Uint8Array): Buffer | null =>
  recordOf(leaves, undefined, () => true);

/** @param record what it was, of which the nodes of unchanged quarters are taken */
function recordOf(
  leaves: Uint8Array,
  record: Uint8Array | undefined,
  isChanged: (quarter: number) => boolean,
): Buffer | null {
  if (leaves.length === 0) return null;
  const start = leaves.length > LEAF * LEAVES_WITHOUT_QUARTERS ? 32 + 32 * QUARTERS : 32;
  const fresh = Buffer.allocUnsafe(start + leaves.length);
  fresh.set(leaves, start);
  if (start === 32) {
    nodeInto({ leaves, quarters: null }, 0, leaves.length, BUCKET_DEPTH, fresh, 0);
    return fresh;
  }
  const known = record && leavesAt(record) === start ? record : null;
  let from = 0;
  for (let quarter = 0; quarter < QUARTERS; quarter++) {
    const at = 32 + 32 * quarter;
    let to = from;
    while (to < leaves.length && quarterAt(leaves, to) === quarter) to += LEAF;
    if (known && !isChanged(quarter)) copyBytes(known, at, fresh, at, 32);
    else nodeInto({ leaves, quarters: null }, from, to, QUARTER_DEPTH, fresh, at);
    from = to;
  }
  nodeInto({ leaves, quarters: fresh }, 0, leaves.length, BUCKET_DEPTH, fresh, 0);
  return fresh;
}

const NOTHING = new Uint8Array(0);

/** The leaves, one after the other, with one of them changed: the same bytes where nothing is. */
function changeLeaf(leaves: Uint8Array, { keyHash, valueHash }: LeafChange): Uint8Array {
  let at = 0;
  let order = -1;
  while (at < leaves.length && (order = compareAt(leaves, at, keyHash)) < 0) at += LEAF;
  const there = at < leaves.length && order === 0;
  if (valueHash === null && !there) return leaves;
  const rest = there ? at + LEAF : at;
  const changed = new Uint8Array(at + (valueHash ? LEAF : 0) + leaves.length - rest);
  changed.set(leaves.subarray(0, at), 0);
  if (valueHash) {
    changed.set(keyHash, at);
    changed.set(valueHash, at + 32);
  }
  changed.set(leaves.subarray(rest), changed.length - (leaves.length - rest));
  return changed;
}

function compareAt(leaves: Uint8Array, at: number, keyHash: Uint8Array): number {
  for (let i = 0; i < 32; i++) {
    const difference = (leaves[at + i] ?? 0) - (keyHash[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const leafInput = new Uint8Array(1 + LEAF);
/** By depth: 0x01 ‖ left ‖ right, what an inner node is the hash of. The children are written where they belong. */
const innerInputs: Uint8Array[] = [];

/**
 * Writes the node over the leaves from byte `from` to byte `to`, which share their first `depth` bits.
 * @param known the leaves, and a record that holds the nodes of all quarters, or null
 */
function nodeInto(
  known: { leaves: Uint8Array; quarters: Uint8Array | null },
  from: number,
  to: number,
  depth: number,
  target: Uint8Array,
  offset: number,
): void {
  const { leaves, quarters } = known;
  if (from === to) {
    target.fill(0, offset, offset + 32);
  } else if (quarters && depth === QUARTER_DEPTH) {
    copyBytes(quarters, 32 + 32 * quarterAt(leaves, from), target, offset, 32);
  } else if (to - from === LEAF) {
    copyBytes(leaves, from, leafInput, 1, LEAF);
    sha256Into(leafInput, target, offset);
  } else {
    const input = (innerInputs[depth] ??= Uint8Array.of(1, ...new Uint8Array(64)));
    let middle = from;
    while (middle < to && bitOf(leaves, middle, depth) === 0) middle += LEAF;
    nodeInto(known, from, middle, depth + 1, input, 1);
    nodeInto(known, middle, to, depth + 1, input, 33);
    sha256Into(input, target, offset);
  }
}

function bitOf(leaves: Uint8Array, at: number, depth: number): number {
  return ((leaves[at + (depth >> 3)] ?? 0) >> (7 - (depth & 7))) & 1;
}

function copyBytes(
  source: Uint8Array,
  from: number,
  target: Uint8Array,
  to: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) target[to + i] = source[from + i] ?? 0;
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
  // By numbers: the pairs of entries() are garbage, more of it than the record itself.
  for (let index = 0; index < PAGE_NODES; index++) {
    if (kinds[index] !== EMPTY) end += bytes.copy(record, end, 32 * index, 32 * index + 32);
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
