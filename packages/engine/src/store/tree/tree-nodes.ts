/**
 * Node i of depth d has number (1 << d) + i. Nodes are copied as words, because views would cost more than
 * the hashing.
 */
import { sha256Into } from '@netd/protocol';
import { EMPTY, INNER, nodesOfPage, type TreeNode } from './tree-records.ts';

export const NODE_WORDS = 8;

/** 0x01 ‖ left ‖ right, with the children aligned to words. */
const innerWords = new Int32Array(1 + 2 * NODE_WORDS);
const innerInput = new Uint8Array(innerWords.buffer, 3);
innerInput[0] = 0x01;

export class TreeNodes {
  private readonly words: Int32Array;
  private readonly bytes: Buffer;
  private readonly kinds: Uint8Array;

  constructor(levels: number) {
    this.words = new Int32Array((2 << levels) * NODE_WORDS);
    this.bytes = Buffer.from(this.words.buffer);
    this.kinds = new Uint8Array(2 << levels);
  }

  /** Returns a view that is valid until the node is written. */
  get(node: number): TreeNode {
    return { kind: this.kinds[node] ?? EMPTY, bytes: this.bytes, offset: 32 * node };
  }

  hexOf(node: number): string {
    return this.bytes.toString('hex', 32 * node, 32 * node + 32);
  }

  set(node: number, { kind, bytes, offset }: TreeNode): void {
    this.kinds[node] = kind;
    const start = 32 * node;
    for (let i = 0; i < 32; i++) {
      this.bytes[start + i] = kind === EMPTY ? 0 : (bytes[offset + i] ?? 0);
    }
  }

  copyTo(node: number, target: Int32Array, start: number): number {
    copyWords(this.words, NODE_WORDS * node, target, start, NODE_WORDS);
    return this.kinds[node] ?? EMPTY;
  }

  combine(node: number): void {
    const left = 2 * node;
    const leftKind = this.kinds[left] ?? EMPTY;
    const rightKind = this.kinds[left + 1] ?? EMPTY;
    if (leftKind === EMPTY && rightKind !== INNER) {
      this.lift(node, left + 1, rightKind);
    } else if (rightKind === EMPTY && leftKind !== INNER) {
      this.lift(node, left, leftKind);
    } else {
      this.kinds[node] = INNER;
      copyWords(this.words, NODE_WORDS * left, innerWords, 1, 2 * NODE_WORDS);
      sha256Into(innerInput, this.bytes, 32 * node);
    }
  }

  combineAbove(node: number, levels: number): void {
    for (let level = levels - 1; level >= 0; level--) {
      const leftmost = node << level;
      for (let i = 0; i < 1 << level; i++) this.combine(leftmost + i);
    }
  }

  page(page: number): { kinds: Uint8Array; bytes: Buffer } {
    const { first, count } = nodesOfPage(page);
    return {
      kinds: this.kinds.subarray(first, first + count),
      bytes: this.bytes.subarray(32 * first, 32 * (first + count)),
    };
  }

  /** Copies a child to its parent: a subtree with one leaf is that leaf, and one without leaves is empty. */
  private lift(node: number, child: number, kind: number): void {
    if (kind === EMPTY && this.kinds[node] === EMPTY) return;
    this.kinds[node] = kind;
    copyWords(this.words, NODE_WORDS * child, this.words, NODE_WORDS * node, NODE_WORDS);
  }
}

// oxlint-disable-next-line max-params -- called for every node of a block: an object each would be garbage
export function copyWords(
  source: Int32Array,
  from: number,
  target: Int32Array,
  to: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) target[to + i] = source[from + i] ?? 0;
}
