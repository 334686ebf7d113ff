/** What one update of the state tree overwrote, in flat buffers: most of it is never looked at again. */
import { copyWords, NODE_WORDS, type TreeNodes } from './tree-nodes.ts';
import type { TreeNode } from './tree-records.ts';

export class UndoLog {
  /** The height whose state comes back. */
  readonly height: number;
  /** The bucket records that the update wrote; null where a bucket has become empty. */
  readonly buckets = new Map<number, Buffer | null>();
  private readonly nodes: number[] = [];
  private readonly kinds: number[] = [];
  private words = new Int32Array(64 * NODE_WORDS);
  private index: Map<number, number> | null = null;

  constructor(height: number) {
    this.height = height;
  }

  /** Call it once for a node, before the node changes. */
  remember(node: number, nodes: TreeNodes): void {
    const start = this.nodes.length * NODE_WORDS;
    if (start === this.words.length) {
      const larger = new Int32Array(2 * start);
      copyWords(this.words, 0, larger, 0, start);
      this.words = larger;
    }
    this.kinds.push(nodes.copyTo(node, this.words, start));
    this.nodes.push(node);
  }

  find(node: number): TreeNode | undefined {
    this.index ??= new Map(this.nodes.map((known, position) => [known, position]));
    const position = this.index.get(node);
    return position === undefined ? undefined : this.at(position);
  }

  restore(nodes: TreeNodes): void {
    for (const [position, node] of this.nodes.entries()) nodes.set(node, this.at(position));
  }

  private at(position: number): TreeNode {
    const bytes = new Uint8Array(this.words.buffer);
    return { kind: this.kinds[position] ?? 0, bytes, offset: 4 * NODE_WORDS * position };
  }
}
