import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  bytesToHex,
  compareKeyHashes,
  EMPTY_ROOT,
  sha256,
  stateRoot,
  verifyStateProof,
  type StateProof,
} from '@netd/protocol';
import { Random } from '../simulation/random.ts';
import { StateTree } from './state-tree.ts';

/** Keys whose hashes share their first 35, 17, 16 and 15 bits. */
const SHARED_35 = ['k/215568', 'k/23345'] as const;
const SHARED_17 = ['k/241417', 'k/141798'] as const;
const SHARED_16 = ['k/141798', 'k/197158'] as const;
const SHARED_15 = ['k/197158', 'k/222440'] as const;
const CROWDED = [...new Set([...SHARED_35, ...SHARED_17, ...SHARED_16, ...SHARED_15])];

type Changes = Map<string, string | null>;

/** A tree with slots and pairs beside it, as the database keeps them, and the ones of earlier heights. */
class TestTree {
  readonly tree = new StateTree();
  readonly history: { pairs: Map<string, string>; slots: Map<number, Buffer> }[] = [];

  constructor() {
    this.tree.load([], -1);
  }

  get now(): { pairs: Map<string, string>; slots: Map<number, Buffer> } {
    return this.history.at(-1) ?? { pairs: new Map(), slots: new Map() };
  }

  update(changes: Changes): void {
    const pairs = new Map(this.now.pairs);
    const slots = new Map(this.now.slots);
    const before = this.now.slots;
    const writes = this.tree.update(changes, (slot) => before.get(slot), this.history.length);
    for (const [key, value] of changes) {
      if (value === null) pairs.delete(key);
      else pairs.set(key, value);
    }
    for (const [slot, record] of writes) {
      if (record) slots.set(slot, record);
      else slots.delete(slot);
    }
    this.history.push({ pairs, slots });
  }

  /** Root, a reload from the slots, and the proofs of the keys at this height and the two before. */
  check(keys: Iterable<string>): void {
    const root = stateRoot(this.now.pairs);
    assert.equal(this.tree.root, root);
    const again = new StateTree();
    again.load(
      [...this.now.slots].map(([key, value]) => ({ key, value })),
      this.tree.height,
    );
    assert.equal(again.root, root);
    for (const key of keys) {
      for (let height = this.tree.height; height > this.tree.height - 3 && height >= 0; height--) {
        this.checkProof(key, height);
      }
    }
  }

  private checkProof(key: string, height: number): void {
    const { pairs, slots } = this.history[height]!;
    const { siblings, leaf } = this.tree.path(key, height, (slot) => slots.get(slot));
    const value = pairs.get(key) ?? null;
    const proof: StateProof['leaf'] =
      value !== null
        ? { kind: 'present' }
        : leaf
          ? {
              kind: 'other',
              keyHash: bytesToHex(leaf.keyHash),
              valueHash: bytesToHex(leaf.valueHash),
            }
          : { kind: 'empty' };
    if (value !== null) assert.equal(compareKeyHashes(leaf!.keyHash, sha256(key)), 0);
    assert.deepEqual(
      verifyStateProof(key, value, { leaf: proof, siblings }, stateRoot(pairs)),
      { ok: true, present: value !== null },
      `${key} at ${height}`,
    );
  }
}

const puts = (keys: readonly string[], value = '1'): Changes =>
  new Map(keys.map((key) => [key, value]));
const deletions = (keys: readonly string[]): Changes => new Map(keys.map((key) => [key, null]));

test('a height that the tree does not remember is refused', () => {
  const tree = new TestTree();
  for (let i = 0; i < 4; i++) tree.update(puts([`k/${i}`]));
  const read = (slot: number): Buffer | undefined => tree.now.slots.get(slot);
  assert.throws(() => tree.tree.path('k/0', 0, read), /holds height 3, not 0/);
  assert.throws(() => tree.tree.path('k/0', 4, read), /holds height 3, not 4/);
  tree.tree.load([], 3);
  assert.throws(() => tree.tree.path('k/0', 2, read), /holds height 3, not 2/);
});

describe('the root is the one of the definition', () => {
  test('for no pair at all', () => {
    const tree = new TestTree();
    assert.equal(tree.tree.root, EMPTY_ROOT);
    tree.update(new Map());
    tree.check(['anything']);
    tree.update(deletions(['never there']));
    assert.equal(tree.tree.root, EMPTY_ROOT);
    tree.check(['anything', 'never there']);
  });

  test('for one pair, and for none again', () => {
    const tree = new TestTree();
    tree.update(puts(['k/1']));
    tree.check(['k/1', 'k/2', '']);
    tree.update(puts(['k/1'], '2'));
    tree.check(['k/1', 'k/2']);
    tree.update(deletions(['k/1']));
    tree.check(['k/1', 'k/2']);
    assert.equal(tree.tree.root, EMPTY_ROOT);
    assert.equal(tree.now.slots.size, 0);
  });

  for (const [bits, pair] of [
    [35, SHARED_35],
    [17, SHARED_17],
    [16, SHARED_16],
    [15, SHARED_15],
  ] as const) {
    test(`for keys that share ${bits} bits, and a deletion lifts the lone leaf`, () => {
      const tree = new TestTree();
      const probes = [...pair, ...CROWDED, 'k/7'];
      tree.update(puts(pair));
      tree.check(probes);
      tree.update(puts([pair[1]], '2'));
      tree.check(probes);
      tree.update(deletions([pair[0]]));
      tree.check(probes);
      assert.equal(
        tree.tree.path(pair[1], 2, (slot) => tree.now.slots.get(slot)).siblings.length,
        0,
      );
      tree.update(puts([pair[0]]));
      tree.check(probes);
      tree.update(deletions(pair));
      tree.check(probes);
    });
  }

  test('for a full neighbourhood from which one after the other leaves', () => {
    const tree = new TestTree();
    tree.update(puts([...CROWDED, 'a', 'b']));
    for (const key of CROWDED) {
      tree.update(deletions([key]));
      tree.check([...CROWDED, 'a', 'b', 'c']);
    }
  });

  test('for random batches of puts, overwrites and deletions', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = new Random(seed);
      const tree = new TestTree();
      const known = [...CROWDED, ...Array.from({ length: 40 }, (_, i) => `agent/${i}`)];
      for (let block = 0; block < 25; block++) {
        const changes: Changes = new Map();
        for (let i = random.below(12); i > 0; i--) {
          const key = random.pick(known);
          changes.set(key, random.chance(0.4) ? null : String(random.below(1_000)));
        }
        tree.update(changes);
        try {
          tree.check(Array.from({ length: 6 }, () => random.pick([...known, 'x/1', 'x/2'])));
        } catch (error) {
          throw new Error(`seed ${seed}, block ${block}`, { cause: error });
        }
      }
    }
  });
});
