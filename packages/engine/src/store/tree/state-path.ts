import { bitAt, bytesToHex, sha256, subtreeNode, subtreePath, type TreeLeaf } from '@netd/protocol';
import { TreeNodes } from './tree-nodes.ts';
import {
  BUCKET_DEPTH,
  bucketNode,
  BUCKETS,
  damagedPage,
  decodeLeaves,
  decodePage,
  EMPTY,
  INNER,
  nodesOfPage,
  SUBTREE_LEVELS,
  TRUNK_NODES,
  wrongBuckets,
  type TreeNode,
} from './tree-records.ts';

export interface TreeRecords {
  bucket(bucket: number): Uint8Array | undefined;
  treePage(page: number): Uint8Array | undefined;
}

export interface StatePath {
  siblings: string[];
  leaf: TreeLeaf | null;
}

/**
 * Returns a proof path after hashing every record read up to the root.
 * @throws StoreError if the records do not hold the head's state
 */
export function statePath(
  records: TreeRecords,
  head: { height: number; stateRoot: string },
  key: string,
): StatePath {
  const keyHash = sha256(key);
  const siblings: string[] = [];
  let top = 1;
  let hash = head.stateRoot;
  let depth = 0;
  while (top < BUCKETS) {
    const below = nodesBelow(records, top);
    const nodes = new TreeNodes(Math.log2(below.length));
    for (const [index, node] of below.entries()) nodes.set(below.length + index, node);
    nodes.combineAbove(1, Math.log2(below.length));
    if (nodes.hexOf(1) !== hash) {
      throw top < TRUNK_NODES ? damagedPage(top) : wrongBuckets(top - TRUNK_NODES, head.height);
    }
    let at = 1;
    for (; at < below.length; depth++) {
      const { kind } = nodes.get(at);
      if (kind === EMPTY) return { siblings: siblings.reverse(), leaf: null };
      if (kind === INNER) {
        at = 2 * at + bitAt(keyHash, depth);
        siblings.push(nodes.hexOf(at ^ 1));
      } else {
        at = nodes.get(2 * at).kind === EMPTY ? 2 * at + 1 : 2 * at;
      }
    }
    hash = nodes.hexOf(at);
    top = below.length * top + at - below.length;
  }
  const leaves = decodeLeaves(records.bucket(top - BUCKETS));
  if (!leaves || bytesToHex(subtreeNode(leaves, BUCKET_DEPTH)) !== hash) {
    throw wrongBuckets((top - BUCKETS) >> SUBTREE_LEVELS, head.height);
  }
  const below = subtreePath(leaves, keyHash, BUCKET_DEPTH);
  const lower = below.siblings.map((sibling) => bytesToHex(sibling));
  return { siblings: [...lower, ...siblings.reverse()], leaf: below.leaf };
}

function nodesBelow(records: TreeRecords, node: number): TreeNode[] {
  if (node >= TRUNK_NODES) {
    const first = (node << SUBTREE_LEVELS) - BUCKETS;
    return Array.from({ length: 1 << SUBTREE_LEVELS }, (_, index) =>
      bucketNode(records.bucket(first + index)),
    );
  }
  const page = records.treePage(node);
  return page
    ? decodePage(node, page)
    : Array.from({ length: nodesOfPage(node).count }, () => bucketNode(null));
}
