/**
 * The state tree of protocol.md, kept incrementally. The trunk, down to depth 14, is in memory and on disk as pages of its
 * lowest nodes, so that a start reads 512 records at most, whatever the state. The four levels below a node of the trunk
 * are worked out from bucket records when a key below it is first touched or proved. One update per block costs a walk
 * from each changed bucket to the root, shared where paths meet.
 */
import { bitAt, bytesToHex, sha256, subtreePath, type TreeLeaf } from '@netd/protocol';
import { StoreError } from './store-error.ts';
import { TreeNodes } from './tree-nodes.ts';
import {
  BUCKET_DEPTH,
  bucketNode,
  bucketOf,
  BUCKETS,
  changeBucket,
  decodeLeaves,
  decodePage,
  EMPTY,
  encodePage,
  INNER,
  LONE_LEAF,
  PAGE_NODES,
  TRUNK_DEPTH,
  TRUNK_NODES,
  type LeafChange,
  type TreeNode,
} from './tree-records.ts';
import { UndoLog } from './undo-log.ts';

/** One block on disk, one being written, one executed on top of that. */
const UNDO_DEPTH = 2;
const SUBTREE_LEVELS = BUCKET_DEPTH - TRUNK_DEPTH;

/** Reads the record of a bucket, as `update` returned it. */
export type BucketReader = (bucket: number) => Uint8Array | undefined;

/** The records of a database, as of its last durable block; ranges in order, without their end. */
export interface TreeSource {
  bucket: BucketReader;
  buckets(first: number, end: number): Iterable<{ key: number; value: Uint8Array }>;
  treePages(): Iterable<{ key: number; value: Uint8Array }>;
}

/** What a database without a block holds. */
export const EMPTY_SOURCE: TreeSource = {
  bucket: () => undefined,
  buckets: () => [],
  treePages: () => [],
};

/** The records to write for a block; null where one is to go. */
export interface TreeWrites {
  buckets: ReadonlyMap<number, Buffer | null>;
  pages: ReadonlyMap<number, Buffer | null>;
}

export interface TreePath {
  siblings: string[];
  leaf: TreeLeaf | null;
}

export class StateTree {
  private readonly source: TreeSource;
  private readonly nodes = new TreeNodes();
  /** 1 for each node of the trunk's lowest level whose subtree is in memory. */
  private readonly grown = new Uint8Array(TRUNK_NODES);
  /**
   * What each of the last updates overwrote, newest first, so that the states before them can still be proved or come
   * back: a block is executed while its predecessor is being written, and readers still see the one before that.
   */
  private undoLogs: UndoLog[] = [];
  /** The height whose state the tree holds; -1 for the empty tree of a chain without a block. */
  height = -1;

  /** The tree of a database without a block; of any other, `open` it first. */
  constructor(source: TreeSource) {
    this.source = source;
  }

  /**
   * Reads the trunk of a database, once.
   * @throws StoreError where the pages cannot be those of the head
   */
  open(head: { height: number; stateRoot: string }): void {
    this.height = head.height;
    for (const { key, value } of this.source.treePages()) {
      const page = decodePage(value);
      if (!page) throw new StoreError(`page ${key} of the state tree is damaged; run netd verify`);
      for (const [index, node] of page.entries()) {
        this.nodes.set(TRUNK_NODES + key * PAGE_NODES + index, node);
      }
    }
    for (let node = TRUNK_NODES - 1; node >= 1; node--) this.nodes.combine(node);
    if (this.root !== head.stateRoot) {
      throw new StoreError(
        `the state tree has root ${this.root}, block ${head.height} says ${head.stateRoot}; run netd verify`,
      );
    }
  }

  get root(): string {
    return bytesToHex(this.hashOf(1));
  }

  /**
   * Applies the changes of the block at `height`. Where it throws, the tree is as it was.
   * @param changes canonical JSON by state key, null for a deletion
   * @returns what the database is to hold from this block on
   * @throws StoreError where a subtree on disk is not the one that the trunk has
   */
  update(changes: ReadonlyMap<string, string | null>, height: number): TreeWrites {
    const byBucket = new Map<number, LeafChange[]>();
    for (const [key, value] of changes) {
      const keyHash = sha256(key);
      const change = { keyHash, valueHash: value === null ? null : sha256(value) };
      const bucket = bucketOf(keyHash);
      const list = byBucket.get(bucket);
      if (list) list.push(change);
      else byBucket.set(bucket, [change]);
    }
    const log = new UndoLog(this.height);
    let pages: TreeWrites['pages'];
    try {
      pages = this.apply(byBucket, log);
    } catch (error) {
      log.restore(this.nodes);
      throw error;
    }
    this.undoLogs = [log, ...this.undoLogs.slice(0, UNDO_DEPTH - 1)];
    this.height = height;
    return { buckets: log.buckets, pages };
  }

  /** @returns the changed pages; the changed buckets are in the log */
  private apply(
    byBucket: ReadonlyMap<number, LeafChange[]>,
    log: UndoLog,
  ): ReadonlyMap<number, Buffer | null> {
    let level: number[] = [];
    for (const bucket of [...byBucket.keys()].sort((a, b) => a - b)) {
      this.grow(bucket >> SUBTREE_LEVELS);
      const record = changeBucket(this.readBucket(bucket), byBucket.get(bucket) ?? []);
      log.buckets.set(bucket, record);
      log.remember(BUCKETS + bucket, this.nodes);
      this.setBucket(bucket, record);
      pushParent(level, BUCKETS + bucket);
    }
    const pages = new Map<number, Buffer | null>();
    while (level.length > 0) {
      const above: number[] = [];
      for (const node of level) {
        log.remember(node, this.nodes);
        this.nodes.combine(node);
        if (node >= TRUNK_NODES && node < 2 * TRUNK_NODES) {
          pages.set(Math.floor((node - TRUNK_NODES) / PAGE_NODES), null);
        }
        if (node > 1) pushParent(above, node);
      }
      level = above;
    }
    for (const page of pages.keys()) pages.set(page, encodePage(this.nodes.page(page)));
    return pages;
  }

  /**
   * Takes back the updates after `height`, from memory: of blocks that could not be written or that gave way to a rival.
   * @throws RangeError where the tree does not remember that far; it is as it was then
   */
  undoTo(height: number): void {
    const { length } = this.undoneSince(height);
    for (const log of this.undoLogs.splice(0, length)) log.restore(this.nodes);
    this.height = height;
  }

  /**
   * The path of a key in the state of `height`, which is the tree's own or one of the two before it.
   * @param readBucket the bucket records of that very height
   * @throws StoreError where a subtree on disk is not the one that the trunk has
   */
  path(key: string, height: number, readBucket: BucketReader): TreePath {
    const undone = this.undoneSince(height);
    const at = (node: number): TreeNode => {
      for (const log of undone) {
        const before = log.find(node);
        if (before) return before;
      }
      return this.nodes.get(node);
    };
    const keyHash = sha256(key);
    const siblings: string[] = [];
    let node = 1;
    let depth = 0;
    while (depth < BUCKET_DEPTH && at(node).kind === INNER) {
      this.growBelow(node);
      const next = 2 * node + bitAt(keyHash, depth);
      const { bytes, offset } = at(next ^ 1);
      siblings.push(bytesToHex(bytes.subarray(offset, offset + 32)));
      node = next;
      depth++;
    }
    if (depth === BUCKET_DEPTH) {
      const leaves = decodeLeaves(readBucket(node - BUCKETS));
      const below = subtreePath(leaves, keyHash, BUCKET_DEPTH);
      const lower = below.siblings.map((sibling) => bytesToHex(sibling));
      return { siblings: [...lower, ...siblings.reverse()], leaf: below.leaf };
    }
    // One leaf stands for the whole subtree: find the bucket it lives in.
    while (node < BUCKETS && at(node).kind === LONE_LEAF) {
      this.growBelow(node);
      node = at(2 * node).kind === EMPTY ? 2 * node + 1 : 2 * node;
    }
    const leaf = at(node).kind === EMPTY ? null : decodeLeaves(readBucket(node - BUCKETS))[0];
    return { siblings: siblings.reverse(), leaf: leaf ?? null };
  }

  /** The logs of the updates after `height`, oldest first: the first that knows a node says what stood there. */
  private undoneSince(height: number): UndoLog[] {
    if (height === this.height) return [];
    const oldest = this.undoLogs.findIndex((log) => log.height === height);
    if (oldest < 0) throw new RangeError(`the tree holds height ${this.height}, not ${height}`);
    return this.undoLogs.slice(0, oldest + 1).reverse();
  }

  /** The record as of the last update: an unwritten block's, else the database's. */
  private readBucket(bucket: number): Uint8Array | undefined {
    for (const log of this.undoLogs) {
      const record = log.buckets.get(bucket);
      if (record !== undefined) return record ?? undefined;
    }
    return this.source.bucket(bucket);
  }

  /** Before the children of a node are looked at. */
  private growBelow(node: number): void {
    if (node >= TRUNK_NODES && node < 2 * TRUNK_NODES) this.grow(node - TRUNK_NODES);
  }

  /**
   * Works out the levels between a node of the trunk and its buckets, once. No update has touched them yet, or they would
   * be here: so whatever block the database has got to, these records are the ones of every height that is remembered.
   */
  private grow(subtree: number): void {
    if (this.grown[subtree] === 1) return;
    const first = subtree << SUBTREE_LEVELS;
    const end = (subtree + 1) << SUBTREE_LEVELS;
    for (const { key, value } of this.source.buckets(first, end)) this.setBucket(key, value);
    const top = TRUNK_NODES + subtree;
    for (let levels = SUBTREE_LEVELS - 1; levels > 0; levels--) {
      const leftmost = top << levels;
      for (let i = 0; i < 1 << levels; i++) this.nodes.combine(leftmost + i);
    }
    const { kind } = this.nodes.get(top);
    const known = Buffer.from(this.hashOf(top));
    this.nodes.combine(top);
    const same = this.nodes.get(top).kind === kind && known.equals(this.hashOf(top));
    this.nodes.set(top, { kind, bytes: known, offset: 0 });
    if (!same) {
      throw new StoreError(
        `the buckets ${first} to ${end - 1} of the state tree are not those of block ${this.height}; run netd verify`,
      );
    }
    this.grown[subtree] = 1;
  }

  private hashOf(node: number): Uint8Array {
    const { bytes, offset } = this.nodes.get(node);
    return bytes.subarray(offset, offset + 32);
  }

  private setBucket(bucket: number, record: Uint8Array | null): void {
    const node = record ? bucketNode(record) : { kind: EMPTY, bytes: EMPTY_HASH, offset: 0 };
    this.nodes.set(BUCKETS + bucket, node);
  }
}

const EMPTY_HASH = new Uint8Array(32);

function pushParent(level: number[], node: number): void {
  const parent = node >> 1;
  if (level[level.length - 1] !== parent) level.push(parent);
}
