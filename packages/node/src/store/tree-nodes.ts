/**
 * The inner nodes of the state tree in flat memory. Node i of depth d has the number (1 << d) + i. The trunk is one buffer
 * of a megabyte; the 126 nodes below one of its lowest nodes are another of four kilobytes, made when it is first needed.
 * A node is copied as eight words: a view of 32 bytes for each would cost more than the hashing.
 */
import { sha256Into } from '@netd/protocol';
import {
  BUCKET_DEPTH,
  EMPTY,
  INNER,
  PAGE_NODES,
  TRUNK_DEPTH,
  TRUNK_NODES,
  type TreeNode,
} from './tree-records.ts';

const TRUNK_PLACES = 2 * TRUNK_NODES;
const SUBTREE_PLACES = 2 << (BUCKET_DEPTH - TRUNK_DEPTH);
export const NODE_WORDS = 8;

/** Neighbouring places, as bytes and as words. */
interface Block {
  bytes: Buffer;
  words: Int32Array;
}

/** 0x01 ‖ left ‖ right, so placed that the children begin at a word: what an inner node is the hash of. */
const innerWords = new Int32Array(1 + 2 * NODE_WORDS);
const innerInput = new Uint8Array(innerWords.buffer, 3);
innerInput[0] = 0x01;

export class TreeNodes {
  private readonly trunk = makeBlock(TRUNK_PLACES);
  private readonly subtrees: Block[] = Array.from({ length: TRUNK_NODES });
  private readonly kinds = new Uint8Array(TRUNK_PLACES + TRUNK_NODES * SUBTREE_PLACES);

  /** A view of the node, good until the node is written. */
  get(node: number): TreeNode {
    const place = placeOf(node);
    const { bytes } = this.blockOf(place);
    return { kind: this.kinds[place] ?? EMPTY, bytes, offset: 4 * wordOf(place) };
  }

  set(node: number, { kind, bytes, offset }: TreeNode): void {
    const place = placeOf(node);
    this.kinds[place] = kind;
    const target = this.blockOf(place).bytes;
    const start = 4 * wordOf(place);
    for (let i = 0; i < 32; i++) target[start + i] = kind === EMPTY ? 0 : (bytes[offset + i] ?? 0);
  }

  /** Copies the words of a node to `start` of `target`, and answers its kind. */
  copyTo(node: number, target: Int32Array, start: number): number {
    const place = placeOf(node);
    copyWords(this.blockOf(place).words, wordOf(place), target, start, NODE_WORDS);
    return this.kinds[place] ?? EMPTY;
  }

  /** Works a node out from its two children. */
  combine(node: number): void {
    const place = placeOf(node);
    const left = placeOf(2 * node);
    const leftKind = this.kinds[left] ?? EMPTY;
    const rightKind = this.kinds[left + 1] ?? EMPTY;
    if (leftKind === EMPTY && rightKind !== INNER) {
      this.lift(place, left + 1, rightKind);
    } else if (rightKind === EMPTY && leftKind !== INNER) {
      this.lift(place, left, leftKind);
    } else {
      this.kinds[place] = INNER;
      copyWords(this.blockOf(left).words, wordOf(left), innerWords, 1, 2 * NODE_WORDS);
      sha256Into(innerInput, this.blockOf(place).bytes, 4 * wordOf(place));
    }
  }

  /** The nodes of a page, which lie together in the trunk. */
  page(page: number): { kinds: Uint8Array; bytes: Buffer } {
    const first = TRUNK_NODES + page * PAGE_NODES;
    return {
      kinds: this.kinds.subarray(first, first + PAGE_NODES),
      bytes: this.trunk.bytes.subarray(32 * first, 32 * (first + PAGE_NODES)),
    };
  }

  /** A subtree with one leaf is that leaf, and one without is empty. */
  private lift(place: number, child: number, kind: number): void {
    if (kind === EMPTY && this.kinds[place] === EMPTY) return;
    this.kinds[place] = kind;
    const { words } = this.blockOf(place);
    copyWords(this.blockOf(child).words, wordOf(child), words, wordOf(place), NODE_WORDS);
  }

  private blockOf(place: number): Block {
    if (place < TRUNK_PLACES) return this.trunk;
    const subtree = Math.floor((place - TRUNK_PLACES) / SUBTREE_PLACES);
    return (this.subtrees[subtree] ??= makeBlock(SUBTREE_PLACES));
  }
}

function makeBlock(places: number): Block {
  const words = new Int32Array(places * NODE_WORDS);
  return { bytes: Buffer.from(words.buffer), words };
}

export function copyWords(
  source: Int32Array,
  from: number,
  target: Int32Array,
  to: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) target[to + i] = source[from + i] ?? 0;
}

/** Places count the trunk's nodes by their numbers, then the nodes of each subtree by the numbers they have in it. */
function placeOf(node: number): number {
  if (node < TRUNK_PLACES) return node;
  const below = 31 - Math.clz32(node) - TRUNK_DEPTH;
  const subtree = (node >> below) - TRUNK_NODES;
  const within = (1 << below) | (node & ((1 << below) - 1));
  return TRUNK_PLACES + subtree * SUBTREE_PLACES + within;
}

/** Where the words of a place begin in its block. */
function wordOf(place: number): number {
  const within = place < TRUNK_PLACES ? place : (place - TRUNK_PLACES) % SUBTREE_PLACES;
  return NODE_WORDS * within;
}
