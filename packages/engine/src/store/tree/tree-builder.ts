import { TreeNodes } from './tree-nodes.ts';
import {
  BUCKET_DEPTH,
  BUCKETS,
  bucketNode,
  bucketOf,
  bucketRecord,
  encodePage,
  LEAF,
  PAGES,
} from './tree-records.ts';

const NODES_PER_TURN = 8_192;

export class TreeBuilder {
  private readonly nodes = new TreeNodes(BUCKET_DEPTH);

  /**
   * Returns the records of the leaves' buckets.
   * @param leaves key hash and value hash of each, by key hash; buckets must be complete
   */
  add(leaves: Uint8Array): [bucket: number, record: Buffer][] {
    const records: [number, Buffer][] = [];
    for (let from = 0; from < leaves.length;) {
      const bucket = bucketOf(leaves.subarray(from, from + 3));
      let to = from + LEAF;
      while (to < leaves.length && bucketOf(leaves.subarray(to, to + 3)) === bucket) to += LEAF;
      const record = bucketRecord(leaves.subarray(from, to));
      if (record) {
        records.push([bucket, record]);
        this.nodes.set(BUCKETS + bucket, bucketNode(record));
      }
      from = to;
    }
    return records;
  }

  /** Returns the root and the pages. Call it after the last `add`. */
  async finish(): Promise<{ root: string; pages: [page: number, record: Buffer][] }> {
    for (let node = BUCKETS - 1; node >= 1; node--) {
      this.nodes.combine(node);
      if (node % NODES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const pages: [number, Buffer][] = [];
    for (const page of PAGES) {
      const record = encodePage(this.nodes.page(page));
      if (record) pages.push([page, record]);
    }
    return { root: this.nodes.hexOf(1), pages };
  }
}
