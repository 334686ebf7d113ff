/**
 * The state tree of protocol.md, kept incrementally. The inner levels down to depth 18 live in memory as flat buffers
 * (16 MB); the few leaves below each of the 262,144 slots live in one database record, read when a key below changes.
 * One update per block costs a walk from each changed slot to the root, shared where paths meet.
 */
import {
  bitAt,
  bytesToHex,
  compareKeyHashes,
  innerNodeInto,
  sha256,
  subtreeNode,
  subtreePath,
  type TreeLeaf,
} from '@netd/protocol';

const DEPTH = 18;
const SLOTS = 1 << DEPTH;

/** One block on disk, one being written, one executed on top of that. */
const UNDO_DEPTH = 2;

const EMPTY = 0;
const LONE_LEAF = 1;
const INNER = 2;

/** Reads the record of a slot, as `update` returned it. */
export type SlotReader = (slot: number) => Uint8Array | undefined;

/** Changed slot records; null where a slot has become empty. */
export type SlotWrites = Map<number, Buffer | null>;

export interface TreePath {
  siblings: string[];
  leaf: TreeLeaf | null;
}

/** What one update overwrote, in flat buffers: most are never looked at again. */
class UndoStep {
  /** The height whose state comes back. */
  readonly height: number;
  private readonly at: number[] = [];
  private readonly kinds: number[] = [];
  private nodes = Buffer.allocUnsafe(64 * 32);
  private index: Map<number, number> | null = null;

  constructor(height: number) {
    this.height = height;
  }

  remember(at: number, kind: number, nodes: Buffer): void {
    const offset = this.at.length * 32;
    if (offset === this.nodes.length) {
      this.nodes = Buffer.concat([this.nodes, Buffer.allocUnsafe(this.nodes.length)]);
    }
    nodes.copy(this.nodes, offset, at * 32, at * 32 + 32);
    this.at.push(at);
    this.kinds.push(kind);
  }

  find(at: number): { node: Buffer; kind: number } | undefined {
    this.index ??= new Map(this.at.map((node, position) => [node, position]));
    const position = this.index.get(at);
    if (position === undefined) return undefined;
    const node = this.nodes.subarray(position * 32, position * 32 + 32);
    return { node, kind: this.kinds[position] ?? EMPTY };
  }
}

interface Change {
  keyHash: Uint8Array;
  /** null for a deletion. */
  valueHash: Uint8Array | null;
}

export class StateTree {
  /** Node i of level d stands at (1 << d) + i, 32 bytes each. */
  private readonly nodes = Buffer.alloc(2 * SLOTS * 32);
  private readonly kinds = new Uint8Array(2 * SLOTS);
  /**
   * What each of the last updates overwrote, newest first, so that the states before them can still be proved: a block
   * is executed while its predecessor is being written, and readers still see the one before that.
   */
  private undo: UndoStep[] = [];
  /** The height whose state the tree holds. */
  height = -1;

  /** Loads the tree from all slot records of a database. */
  load(slots: Iterable<{ key: number; value: Uint8Array }>, height: number): void {
    this.nodes.fill(0);
    this.kinds.fill(EMPTY);
    for (const { key, value } of slots) this.setSlot(key, value);
    for (let at = SLOTS - 1; at >= 1; at--) this.combine(at);
    this.undo = [];
    this.height = height;
  }

  get root(): string {
    return bytesToHex(this.nodeAt(1));
  }

  /**
   * Applies the changes of the block at `height`.
   * @param changes canonical JSON by state key, null for a deletion
   * @param readSlot the slot records as of the block before
   * @returns the slot records to write
   */
  update(
    changes: ReadonlyMap<string, string | null>,
    readSlot: SlotReader,
    height: number,
  ): SlotWrites {
    const bySlot = new Map<number, Change[]>();
    for (const [key, value] of changes) {
      const keyHash = sha256(key);
      const change = { keyHash, valueHash: value === null ? null : sha256(value) };
      const slot = slotOf(keyHash);
      const list = bySlot.get(slot);
      if (list) list.push(change);
      else bySlot.set(slot, [change]);
    }
    this.undo = [new UndoStep(this.height), ...this.undo.slice(0, UNDO_DEPTH - 1)];
    this.height = height;
    const writes: SlotWrites = new Map();
    let level: number[] = [];
    for (const slot of [...bySlot.keys()].sort((a, b) => a - b)) {
      const leaves = mergeLeaves(decodeLeaves(readSlot(slot)), bySlot.get(slot) ?? []);
      const record = encodeSlot(leaves);
      writes.set(slot, record);
      this.remember(SLOTS + slot);
      this.setSlot(slot, record ?? undefined);
      pushParent(level, SLOTS + slot);
    }
    while (level.length > 0) {
      const above: number[] = [];
      for (const at of level) {
        this.remember(at);
        this.combine(at);
        if (at > 1) pushParent(above, at);
      }
      level = above;
    }
    return writes;
  }

  /**
   * The path of a key in the state of `height`, which is the tree's own or one of the two before it.
   * @param readSlot the slot records of that very height
   */
  path(key: string, height: number, readSlot: SlotReader): TreePath {
    const steps = this.undo.findIndex((step) => step.height === height) + 1;
    if (height !== this.height && steps === 0) {
      throw new RangeError(`the tree holds height ${this.height}, not ${height}`);
    }
    // The oldest of the undone steps says what stood there at `height`.
    const undone = height === this.height ? [] : this.undo.slice(0, steps).reverse();
    const before = (at: number): { node: Buffer; kind: number } | undefined =>
      undone.find((step) => step.find(at))?.find(at);
    const kind = (at: number): number => before(at)?.kind ?? this.kinds[at] ?? EMPTY;
    const node = (at: number): Buffer => before(at)?.node ?? this.nodeAt(at);
    const keyHash = sha256(key);
    const siblings: string[] = [];
    let at = 1;
    let depth = 0;
    while (depth < DEPTH && kind(at) === INNER) {
      const next = 2 * at + bitAt(keyHash, depth);
      siblings.push(bytesToHex(node(next ^ 1)));
      at = next;
      depth++;
    }
    if (depth === DEPTH) {
      const below = subtreePath(decodeLeaves(readSlot(at - SLOTS)), keyHash, DEPTH);
      const lower = below.siblings.map((sibling) => bytesToHex(sibling));
      return { siblings: [...lower, ...siblings.reverse()], leaf: below.leaf };
    }
    // One leaf stands for the whole subtree: find the slot it lives in.
    while (at < SLOTS && kind(at) === LONE_LEAF) at = kind(2 * at) === EMPTY ? 2 * at + 1 : 2 * at;
    const leaf = kind(at) === EMPTY ? null : (decodeLeaves(readSlot(at - SLOTS))[0] ?? null);
    return { siblings: siblings.reverse(), leaf };
  }

  private nodeAt(at: number): Buffer {
    return this.nodes.subarray(at * 32, at * 32 + 32);
  }

  private remember(at: number): void {
    this.undo[0]?.remember(at, this.kinds[at] ?? EMPTY, this.nodes);
  }

  private setSlot(slot: number, record: Uint8Array | undefined): void {
    const at = SLOTS + slot;
    if (!record) {
      this.kinds[at] = EMPTY;
      this.nodeAt(at).fill(0);
      return;
    }
    this.kinds[at] = record.length === 32 + 64 ? LONE_LEAF : INNER;
    this.nodes.set(record.subarray(0, 32), at * 32);
  }

  private combine(at: number): void {
    const left = 2 * at;
    const leftKind = this.kinds[left] ?? EMPTY;
    const rightKind = this.kinds[left + 1] ?? EMPTY;
    if (leftKind === EMPTY && rightKind !== INNER) {
      this.lift(at, left + 1, rightKind);
    } else if (rightKind === EMPTY && leftKind !== INNER) {
      this.lift(at, left, leftKind);
    } else {
      this.kinds[at] = INNER;
      innerNodeInto(this.nodeAt(left), this.nodeAt(left + 1), this.nodes, at * 32);
    }
  }

  private lift(at: number, child: number, kind: number): void {
    this.kinds[at] = kind;
    this.nodes.copy(this.nodes, at * 32, child * 32, child * 32 + 32);
  }
}

/** The first 18 bits of a key hash. */
export function slotOf(keyHash: Uint8Array): number {
  return ((keyHash[0] ?? 0) << 10) | ((keyHash[1] ?? 0) << 2) | ((keyHash[2] ?? 0) >> 6);
}

export function decodeLeaves(record: Uint8Array | undefined): TreeLeaf[] {
  const leaves: TreeLeaf[] = [];
  if (!record) return leaves;
  for (let at = 32; at < record.length; at += 64) {
    leaves.push({
      keyHash: record.subarray(at, at + 32),
      valueHash: record.subarray(at + 32, at + 64),
    });
  }
  return leaves;
}

function encodeSlot(leaves: TreeLeaf[]): Buffer | null {
  if (leaves.length === 0) return null;
  const record = Buffer.allocUnsafe(32 + 64 * leaves.length);
  record.set(subtreeNode(leaves, DEPTH), 0);
  for (const [index, leaf] of leaves.entries()) {
    record.set(leaf.keyHash, 32 + 64 * index);
    record.set(leaf.valueHash, 64 + 64 * index);
  }
  return record;
}

function mergeLeaves(leaves: TreeLeaf[], changes: Change[]): TreeLeaf[] {
  for (const { keyHash, valueHash } of changes) {
    let at = leaves.findIndex((leaf) => compareKeyHashes(leaf.keyHash, keyHash) >= 0);
    if (at < 0) at = leaves.length;
    const there = leaves[at];
    const same = there !== undefined && compareKeyHashes(there.keyHash, keyHash) === 0;
    if (valueHash === null) {
      if (same) leaves.splice(at, 1);
    } else {
      leaves.splice(at, same ? 1 : 0, { keyHash, valueHash });
    }
  }
  return leaves;
}

function pushParent(level: number[], at: number): void {
  const parent = at >> 1;
  if (level[level.length - 1] !== parent) level.push(parent);
}
