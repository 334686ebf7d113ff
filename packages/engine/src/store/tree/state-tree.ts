/**
 * The trunk, down to depth 14, is in memory and stored as pages. The four levels below are computed from
 * buckets on demand. Proofs read only the database (state-path.ts).
 */
import { sha256 } from '@netd/protocol';
import { StoreError } from '../store-error.ts';
import { TreeNodes } from './tree-nodes.ts';
import {
  BUCKET_DEPTH,
  bucketNode,
  bucketOf,
  BUCKETS,
  changeBucket,
  damagedPage,
  decodePage,
  encodePage,
  FIRST_LOWEST_PAGE,
  nodesOfPage,
  pageOfNode,
  PAGES,
  SUBTREE_LEVELS,
  TRUNK_DEPTH,
  TRUNK_NODES,
  wrongBuckets,
  type LeafChange,
} from './tree-records.ts';
import { UndoLog } from '../undo-log.ts';

const UNDO_DEPTH = 2;

export interface TreeSource {
  bucket(bucket: number): Uint8Array | undefined;
  buckets(first: number, end: number): Iterable<{ key: number; value: Uint8Array }>;
  treePages(): Iterable<{ key: number; value: Uint8Array }>;
}

export const EMPTY_SOURCE: TreeSource = {
  bucket: () => undefined,
  buckets: () => [],
  treePages: () => [],
};

/** Records by number; null deletes one. */
export interface TreeWrites {
  buckets: ReadonlyMap<number, Buffer | null>;
  pages: ReadonlyMap<number, Buffer | null>;
}

export class StateTree {
  private readonly source: TreeSource;
  private readonly undoDepth: number;
  private readonly nodes = new TreeNodes(BUCKET_DEPTH);
  private readonly grown = new Uint8Array(TRUNK_NODES);
  /** Newest first. The disk may refuse a block whose successor is already executed. */
  private undoLogs: UndoLog[] = [];
  /** -1 for an empty tree. */
  height = -1;

  /** Call `open` next, unless the database has no block. */
  constructor(source: TreeSource, undoDepth = UNDO_DEPTH) {
    this.source = source;
    this.undoDepth = undoDepth;
  }

  /**
   * Loads the trunk once. Recomputes the upper pages and compares them with the stored ones.
   * @throws StoreError if the pages cannot be those of the head
   */
  open(head: { height: number; stateRoot: string }): void {
    this.height = head.height;
    const upper = new Map<number, Buffer>();
    for (const { key, value } of this.source.treePages()) {
      if (key < FIRST_LOWEST_PAGE) {
        upper.set(key, Buffer.from(value));
        continue;
      }
      const { first } = nodesOfPage(key);
      for (const [index, node] of decodePage(key, value).entries()) {
        this.nodes.set(first + index, node);
      }
    }
    this.nodes.combineAbove(1, TRUNK_DEPTH);
    if (this.root !== head.stateRoot) {
      throw new StoreError(
        `the state tree has root ${this.root}, block ${head.height} says ${head.stateRoot}; run netd verify`,
      );
    }
    for (const page of PAGES) {
      if (page >= FIRST_LOWEST_PAGE) break;
      const wanted = encodePage(this.nodes.page(page));
      const found = upper.get(page);
      if (wanted ? !found?.equals(wanted) : found) throw damagedPage(page);
    }
  }

  get root(): string {
    return this.nodes.hexOf(1);
  }

  /**
   * Applies a block's changes. If it throws, the tree is unchanged.
   * @param changes canonical JSON by state key; null for a deletion
   * @throws StoreError if a subtree on disk does not match the trunk
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
    this.undoLogs = [log, ...this.undoLogs.slice(0, this.undoDepth - 1)];
    this.height = height;
    return { buckets: log.buckets, pages };
  }

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
        const page = pageOfNode(node);
        if (page !== null) pages.set(page, null);
        if (node > 1) pushParent(above, node);
      }
      level = above;
    }
    for (const page of pages.keys()) pages.set(page, encodePage(this.nodes.page(page)));
    return pages;
  }

  /** @throws RangeError if the tree does not remember that height; it is then unchanged */
  undoTo(height: number): void {
    if (height === this.height) return;
    const oldest = this.undoLogs.findIndex((log) => log.height === height);
    if (oldest < 0) throw new RangeError(`the tree holds height ${this.height}, not ${height}`);
    for (const log of this.undoLogs.splice(0, oldest + 1)) log.restore(this.nodes);
    this.height = height;
  }

  forgetBefore(height: number): void {
    const first = this.undoLogs.findIndex((log) => log.height < height);
    if (first >= 0) this.undoLogs.length = first;
  }

  private readBucket(bucket: number): Uint8Array | undefined {
    for (const log of this.undoLogs) {
      const record = log.buckets.get(bucket);
      if (record !== undefined) return record ?? undefined;
    }
    return this.source.bucket(bucket);
  }

  /** Loads a subtree from buckets, which no update has touched. */
  private grow(subtree: number): void {
    if (this.grown[subtree] === 1) return;
    const first = subtree << SUBTREE_LEVELS;
    const end = (subtree + 1) << SUBTREE_LEVELS;
    for (const { key, value } of this.source.buckets(first, end)) this.setBucket(key, value);
    const top = TRUNK_NODES + subtree;
    const { kind } = this.nodes.get(top);
    const known = Buffer.from(this.hashOf(top));
    this.nodes.combineAbove(top, SUBTREE_LEVELS);
    const same = this.nodes.get(top).kind === kind && known.equals(this.hashOf(top));
    this.nodes.set(top, { kind, bytes: known, offset: 0 });
    if (!same) throw wrongBuckets(subtree, this.height);
    this.grown[subtree] = 1;
  }

  private hashOf(node: number): Uint8Array {
    const { bytes, offset } = this.nodes.get(node);
    return bytes.subarray(offset, offset + 32);
  }

  private setBucket(bucket: number, record: Uint8Array | null): void {
    this.nodes.set(BUCKETS + bucket, bucketNode(record));
  }
}

function pushParent(level: number[], node: number): void {
  const parent = node >> 1;
  if (level[level.length - 1] !== parent) level.push(parent);
}
