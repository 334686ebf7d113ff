/** Rebuilds nonces, lists and the tree from the records of a state, in constant memory. */
import { PairError } from '../chain/pair-reader.ts';
import type { Store } from '../store/store.ts';
import { TreeBuilder } from '../store/tree/tree-builder.ts';
import { Writes } from '../store/writes.ts';
import { LEAF_FILES, type LeafFiles } from './leaf-files.ts';

const PAIRS_PER_BATCH = 1_000;
const BYTES_PER_BATCH = 2 * 1024 * 1024;

/** Thrown if the records match the source's hashes but not the certified state root: the source lied. */
export class WrongStateError extends Error {
  override name = 'WrongStateError';
}

export class StateRebuild {
  protected readonly store: Store;
  protected readonly leaves: LeafFiles;
  protected writes = new Writes();
  private readonly onTree: (done: number, total: number) => void;
  private pairs = 0;
  private bytes = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(store: Store, leaves: LeafFiles, onTree: (done: number, total: number) => void) {
    this.store = store;
    this.leaves = leaves;
    this.onTree = onTree;
  }

  async readLeaves(): Promise<void> {
    const { state } = this.store.tables;
    let last: string | undefined;
    for (;;) {
      const start = last === undefined ? {} : { start: last };
      const rows = [...state.getRange({ ...start, limit: PAIRS_PER_BATCH })];
      const fresh = rows[0]?.key === last ? rows.slice(1) : rows;
      for (const { key, value } of fresh) this.leaves.add(Buffer.from(key), Buffer.from(value));
      last = fresh.at(-1)?.key;
      if (last === undefined) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** A nonce may be spent again after its first leaf expired, so the order of spending matters. */
  async putNonces(): Promise<void> {
    const { state, nonces } = this.store.tables;
    const heights: number[] = [];
    for (const key of state.getKeys({ start: 'nonce/', end: 'nonce0' })) {
      heights.push(Number(key.slice('nonce/'.length)));
    }
    for (const height of heights.toSorted((a, b) => a - b)) {
      const leaf = this.store.get(`nonce/${height}`);
      if (!Array.isArray(leaf)) throw new PairError('the nonces of a block are no list');
      for (const { hash, expiry } of leaf as { hash: string; expiry: number }[]) {
        this.writes.put(nonces, hash, String(expiry));
      }
      await this.count(leaf.length);
    }
    await this.end();
  }

  /** @throws WrongStateError if the tree's root is not the certified one */
  async putTree({ height, stateRoot }: { height: number; stateRoot: string }): Promise<void> {
    const { tree, treePages } = this.store.tables;
    const builder = new TreeBuilder();
    for (let file = 0; file < LEAF_FILES; file++) {
      for (const [bucket, record] of builder.add(this.leaves.sorted(file))) {
        this.writes.put(tree, bucket, record);
      }
      await this.flush();
      this.onTree(file + 1, LEAF_FILES);
    }
    const { root, pages } = await builder.finish();
    if (root !== stateRoot) {
      throw new WrongStateError(
        `the state of its checkpoint has the root ${root}, the validators certified ${stateRoot} at height ${height}`,
      );
    }
    for (const [page, record] of pages) this.writes.put(treePages, page, record);
    await this.end();
  }

  protected async count(pairs: number, bytes = 0): Promise<void> {
    this.pairs += pairs;
    this.bytes += bytes;
    if (this.pairs >= PAIRS_PER_BATCH || this.bytes >= BYTES_PER_BATCH) await this.flush();
  }

  private async flush(): Promise<void> {
    const { writes } = this;
    this.writes = new Writes();
    this.pairs = 0;
    this.bytes = 0;
    await this.writing;
    this.writing = this.store.writeAll(writes);
    this.writing.catch(() => {});
  }

  protected async end(): Promise<void> {
    await this.flush();
    await this.writing;
  }
}
