/** The stored form of the state tree. Records depend only on the state, so a replay writes the same bytes. */
import { compareKeyHashes, sha256Into, type TreeLeaf } from '@netd/protocol';
import { StoreError } from '../store-error.ts';

export const TRUNK_DEPTH = 14;
export const BUCKET_DEPTH = 18;
export const TRUNK_NODES = 1 << TRUNK_DEPTH;
export const BUCKETS = 1 << BUCKET_DEPTH;
export const SUBTREE_LEVELS = BUCKET_DEPTH - TRUNK_DEPTH;
/** A page has 32 nodes, which fit into a quarter of a database page. */
const PAGE_LEVELS = 5;
const TOP_PAGE_LEVELS = TRUNK_DEPTH % PAGE_LEVELS;
const TOP_PAGE = 1;

export const EMPTY = 0;
export const LONE_LEAF = 1;
export const INNER = 2;

export interface TreeNode {
  kind: number;
  bytes: Uint8Array;
  offset: number;
}

/** `valueHash` is null for a deletion. */
export interface LeafChange {
  keyHash: Uint8Array;
  valueHash: Uint8Array | null;
}

/** Bytes of a leaf: key hash, then value hash. */
export const LEAF = 64;
const QUARTERS = 4;
const QUARTER_DEPTH = BUCKET_DEPTH + 2;
/** A record with more leaves also stores the nodes of its quarters, so that a change hashes only one quarter. */
const LEAVES_WITHOUT_QUARTERS = 4;

export function bucketOf(keyHash: Uint8Array): number {
  return ((keyHash[0] ?? 0) << 10) | ((keyHash[1] ?? 0) << 2) | ((keyHash[2] ?? 0) >> 6);
}

function quarterAt(bytes: Uint8Array, offset: number): number {
  return ((bytes[offset + 2] ?? 0) >> 4) & 3;
}

function leavesAt(record: Uint8Array): number {
  return record.length > 32 + LEAF * LEAVES_WITHOUT_QUARTERS ? 32 + 32 * QUARTERS : 32;
}

/** Returns null unless the leaves are in strict order. */
export function decodeLeaves(record: Uint8Array | undefined): TreeLeaf[] | null {
  const leaves: TreeLeaf[] = [];
  if (!record) return leaves;
  let before: Uint8Array | null = null;
  for (let at = leavesAt(record); at < record.length; at += LEAF) {
    const keyHash = record.subarray(at, at + 32);
    const valueHash = record.subarray(at + 32, at + LEAF);
    if (valueHash.length < 32 || (before && compareKeyHashes(before, keyHash) >= 0)) return null;
    leaves.push({ keyHash, valueHash });
    before = keyHash;
  }
  return leaves;
}

export function bucketNode(record: Uint8Array | null | undefined): TreeNode {
  if (!record) return { kind: EMPTY, bytes: NOTHING, offset: 0 };
  return { kind: record.length === 32 + LEAF ? LONE_LEAF : INNER, bytes: record, offset: 0 };
}

/**
 * Returns the changed record, or null if no leaf is left.
 * @param record the old one; undefined if it had no leaf
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
 * Returns a bucket's record, or null without leaves.
 * @param leaves key hash and value hash of each, in order
 */
export const bucketRecord = (leaves: Uint8Array): Buffer | null =>
  recordOf(leaves, undefined, () => true);

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
/** Hash inputs by depth: 0x01 ‖ left ‖ right. Children are written in place. */
const innerInputs: Uint8Array[] = [];

/** Writes the node over leaves that share their first `depth` bits. */
// oxlint-disable-next-line max-params -- called for every node of a block: an object each would be garbage
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

// oxlint-disable-next-line max-params -- called for every node of a block: an object each would be garbage
function copyBytes(
  source: Uint8Array,
  from: number,
  target: Uint8Array,
  to: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) target[to + i] = source[from + i] ?? 0;
}

export const PAGES: readonly number[] = [1, 16, 512].flatMap((first) =>
  Array.from({ length: first }, (_, index) => first + index),
);
/** Pages from this number on hold the trunk's lowest level, from which all other levels follow. */
export const FIRST_LOWEST_PAGE = TRUNK_NODES >> PAGE_LEVELS;

const pageLevels = (page: number): number => (page === TOP_PAGE ? TOP_PAGE_LEVELS : PAGE_LEVELS);

export function nodesOfPage(page: number): { first: number; count: number } {
  const levels = pageLevels(page);
  return { first: page << levels, count: 1 << levels };
}

/** Returns the node's page, or null if its level is not stored. */
export function pageOfNode(node: number): number | null {
  const depth = 31 - Math.clz32(node);
  if (depth > TRUNK_DEPTH || depth % PAGE_LEVELS !== TOP_PAGE_LEVELS) return null;
  return node >> (depth === TOP_PAGE_LEVELS ? TOP_PAGE_LEVELS : PAGE_LEVELS);
}

export const damagedPage = (page: number): StoreError =>
  new StoreError(`page ${page} of the state tree is damaged; run netd verify`);

export function wrongBuckets(subtree: number, height: number): StoreError {
  const first = subtree << SUBTREE_LEVELS;
  const last = first + (1 << SUBTREE_LEVELS) - 1;
  return new StoreError(
    `the buckets ${first} to ${last} of the state tree are not those of block ${height}; run netd verify`,
  );
}

/**
 * Returns one byte per node for its kind, then 32 bytes for each node that is not empty; null if all are
 * empty.
 */
export function encodePage(nodes: { kinds: Uint8Array; bytes: Buffer }): Buffer | null {
  const { kinds, bytes } = nodes;
  let present = 0;
  for (const kind of kinds) if (kind !== EMPTY) present++;
  if (present === 0) return null;
  const record = Buffer.allocUnsafe(kinds.length + 32 * present);
  record.set(kinds, 0);
  let end = kinds.length;
  for (let index = 0; index < kinds.length; index++) {
    if (kinds[index] !== EMPTY) end += bytes.copy(record, end, 32 * index, 32 * index + 32);
  }
  return record;
}

/** @throws StoreError if the bytes are not a page */
export function decodePage(page: number, record: Uint8Array): TreeNode[] {
  const { count } = nodesOfPage(page);
  const nodes: TreeNode[] = [];
  let offset = count;
  for (const kind of record.subarray(0, count)) {
    if (kind > INNER) throw damagedPage(page);
    nodes.push({ kind, bytes: record, offset });
    if (kind !== EMPTY) offset += 32;
  }
  if (nodes.length !== count || offset !== record.length) throw damagedPage(page);
  return nodes;
}
