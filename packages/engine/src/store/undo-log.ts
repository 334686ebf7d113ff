/** The old nodes of one update, in flat buffers because most are never read again. */
import { copyWords, NODE_WORDS, type TreeNodes } from './tree/tree-nodes.ts';

export class UndoLog {
  readonly height: number;
  /** Records that the update wrote, by bucket; null if a bucket became empty. */
  readonly buckets = new Map<number, Buffer | null>();
  private readonly nodes: number[] = [];
  private readonly kinds: number[] = [];
  private words = new Int32Array(64 * NODE_WORDS);

  constructor(height: number) {
    this.height = height;
  }

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

  restore(nodes: TreeNodes): void {
    const bytes = new Uint8Array(this.words.buffer);
    for (const [position, node] of this.nodes.entries()) {
      nodes.set(node, {
        kind: this.kinds[position] ?? 0,
        bytes,
        offset: 4 * NODE_WORDS * position,
      });
    }
  }
}
