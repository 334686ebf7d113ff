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
import { Random } from '@netd/testkit/simulation/random';
import { statePath, type StatePath } from './state-path.ts';
import { EMPTY_SOURCE, StateTree, type TreeSource } from './state-tree.ts';
import { bucketOf } from './tree-records.ts';

/** Keys whose hashes share their first 35, 17, 16 and 15 bits: in one bucket, and below one node of the trunk. */
const SHARED_35 = ['k/215568', 'k/23345'] as const;
const SHARED_17 = ['k/241417', 'k/141798'] as const;
const SHARED_16 = ['k/141798', 'k/197158'] as const;
const SHARED_15 = ['k/197158', 'k/222440'] as const;
const CROWDED = [...new Set([...SHARED_35, ...SHARED_17, ...SHARED_16, ...SHARED_15])];

type Changes = Map<string, string | null>;
type Records = ReadonlyMap<number, Buffer>;

interface State {
  /** The root by definition. */
  root: string;
  pairs: ReadonlyMap<string, string>;
  buckets: Records;
  pages: Records;
}

const NOTHING: State = {
  root: EMPTY_ROOT,
  pairs: new Map(),
  buckets: new Map(),
  pages: new Map(),
};

/** A tree with the database's content at every height, of which `durable` is the last on disk. */
class TestTree {
  readonly history: State[] = [];
  durable = -1;
  readonly reads: string[] = [];
  /** Number of buckets that can be read before the disk fails. */
  readable = Infinity;
  readonly source: TreeSource = {
    bucket: (bucket) => {
      if (this.readable-- <= 0) throw new Error('EIO');
      this.reads.push(`bucket ${bucket}`);
      return this.disk.buckets.get(bucket);
    },
    buckets: (first, end) => {
      this.reads.push(`buckets ${first}`);
      return inOrder(this.disk.buckets).filter(({ key }) => key >= first && key < end);
    },
    treePages: () => {
      this.reads.push('pages');
      return inOrder(this.disk.pages);
    },
  };
  tree = new StateTree(this.source);

  get now(): State {
    return this.history.at(-1) ?? NOTHING;
  }

  private get disk(): State {
    return this.history[this.durable] ?? NOTHING;
  }

  /** @param lag number of blocks that are not on disk yet when this one is executed */
  update(changes: Changes, lag = 0): void {
    this.durable = Math.max(this.durable, this.history.length - 1 - lag);
    const { buckets, pages } = this.tree.update(changes, this.history.length);
    const pairs = applied(this.now.pairs, changes);
    this.history.push({
      root: stateRoot(pairs),
      pairs,
      buckets: applied(this.now.buckets, buckets),
      pages: applied(this.now.pages, pages),
    });
  }

  /** The blocks that are not on disk could not be written. */
  undo(): void {
    const { reads } = this;
    reads.length = 0;
    this.tree.undoTo(this.durable);
    assert.deepEqual(reads, [], 'nothing is read again');
    this.history.length = this.durable + 1;
  }

  reopen(): void {
    this.durable = this.history.length - 1;
    this.tree = new StateTree(this.source);
    this.tree.open({ height: this.durable, stateRoot: this.now.root });
  }

  /** Opens a database with one page replaced or missing, which is refused, then restores the page. */
  reopenWith(page: number, record: Buffer | null, message: RegExp): void {
    const { now } = this;
    const height = this.history.length - 1;
    this.history[height] = { ...now, pages: applied(now.pages, new Map([[page, record]])) };
    assert.throws(() => this.reopen(), { name: 'StoreError', message });
    this.history[height] = now;
  }

  /** Root, records, and the proofs of the keys from these records. */
  check(keys: Iterable<string>): void {
    const { root, pairs, buckets, pages } = this.now;
    assert.equal(this.tree.root, root);
    const atOnce = new StateTree(EMPTY_SOURCE).update(new Map(pairs), 0);
    assert.deepEqual(inOrder(buckets), inOrder(applied(new Map(), atOnce.buckets)));
    assert.deepEqual(inOrder(pages), inOrder(applied(new Map(), atOnce.pages)));
    for (const key of keys) this.checkProof(key);
  }

  path(key: string): StatePath {
    const { root, buckets, pages } = this.now;
    const records = {
      bucket: (bucket: number) => buckets.get(bucket),
      treePage: (page: number) => pages.get(page),
    };
    return statePath(records, { height: this.tree.height, stateRoot: root }, key);
  }

  checkProof(key: string): void {
    const { root, pairs } = this.now;
    const { siblings, leaf } = this.path(key);
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
      verifyStateProof(key, value, { leaf: proof, siblings }, root),
      { ok: true, present: value !== null },
      key,
    );
  }
}

function applied<Key, Value>(
  before: ReadonlyMap<Key, Value>,
  changes: ReadonlyMap<Key, Value | null>,
): Map<Key, Value> {
  const after = new Map(before);
  for (const [key, value] of changes) {
    if (value === null) after.delete(key);
    else after.set(key, value);
  }
  return after;
}

function inOrder(records: Records): { key: number; value: Buffer }[] {
  return [...records].map(([key, value]) => ({ key, value })).sort((a, b) => a.key - b.key);
}

const inNumbers = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b);
const puts = (keys: readonly string[], value = '1'): Changes =>
  new Map(keys.map((key) => [key, value]));
const deletions = (keys: readonly string[]): Changes => new Map(keys.map((key) => [key, null]));

test('a height that the tree does not remember is refused', () => {
  const tree = new TestTree();
  for (let i = 0; i < 4; i++) tree.update(puts([`k/${i}`]));
  assert.throws(() => tree.tree.undoTo(0), /holds height 3, not 0/);
  assert.throws(() => tree.tree.undoTo(5), /holds height 3, not 5/);
  assert.equal(tree.tree.root, tree.now.root);
  tree.tree.undoTo(1);
  assert.equal(tree.tree.root, tree.history[1]!.root);
  tree.history.length = 2;
  tree.reopen();
  assert.throws(() => tree.tree.undoTo(0), /holds height 1, not 0/);
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
    assert.equal(tree.now.buckets.size, 0);
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
      assert.deepEqual(tree.path(pair[1]).siblings, []);
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

  test('for random batches of puts, overwrites and deletions, with reopening and undoing in between', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const random = new Random(seed);
      const tree = new TestTree();
      const known = [...CROWDED, ...Array.from({ length: 60 }, (_, i) => `agent/${i}`)];
      for (let block = 0; block < 30; block++) {
        const changes: Changes = new Map();
        for (let i = random.below(12); i > 0; i--) {
          const key = random.pick(known);
          changes.set(key, random.chance(0.4) ? null : String(random.below(1_000)));
        }
        try {
          tree.update(changes, random.below(2));
          if (random.chance(0.2)) tree.undo();
          if (random.chance(0.2)) tree.reopen();
          tree.check(Array.from({ length: 6 }, () => random.pick([...known, 'x/1', 'x/2'])));
        } catch (error) {
          throw new Error(`seed ${seed}, block ${block}`, { cause: error });
        }
      }
    }
  });
});

describe('what is read of the database', () => {
  const many = Array.from({ length: 1_000 }, (_, i) => `agent/${i}`);

  test('at a start only the pages, and below a node of the trunk once, when a key there is used', () => {
    const tree = new TestTree();
    tree.update(puts(many));
    tree.reads.length = 0;
    tree.reopen();
    assert.deepEqual(tree.reads, ['pages']);
    const bucket = bucketOf(sha256('agent/7'));
    const buckets = `buckets ${bucket - (bucket % 16)}`;
    tree.update(puts(['agent/7'], '2'));
    assert.deepEqual(tree.reads, ['pages', buckets, `bucket ${bucket}`]);
    // The previous block is not on disk yet, so its record comes from memory.
    tree.update(puts(['agent/7'], '3'), 1);
    assert.deepEqual(tree.reads, ['pages', buckets, `bucket ${bucket}`]);
    tree.check(['agent/7', 'agent/8']);
  });

  test('a block writes the pages above the buckets it touches, and none else', () => {
    const tree = new TestTree();
    tree.update(puts(many));
    const keys = ['agent/7', 'agent/8'];
    const { buckets, pages } = tree.tree.update(puts(keys, '2'), 1);
    assert.equal(buckets.size, 2);
    const above = keys.flatMap((key) => {
      const node = (1 << 18) | bucketOf(sha256(key));
      return [node >> 9, node >> 14, node >> 18];
    });
    assert.deepEqual(inNumbers(pages.keys()), inNumbers(new Set(above)));
    for (const page of pages.values()) assert.ok(page && page.length <= 1_056);
  });

  test('an update that the disk breaks off leaves the tree as it was', () => {
    const bucketByKey = new Map(many.map((key) => [key, bucketOf(sha256(key))]));
    const keyByBucket = new Map([...bucketByKey].map(([key, bucket]) => [bucket, key]));
    // Two buckets below one node: the rest of the first is hashed together with the second.
    const [one, first] = [...bucketByKey].find(
      ([, at]) => at % 2 === 0 && keyByBucket.has(at + 1),
    )!;
    const neighbour = keyByBucket.get(first + 1)!;
    const [later] = [...bucketByKey].find(([, bucket]) => bucket > first + 1)!;
    const tree = new TestTree();
    tree.update(puts(many));
    for (const readable of [0, 1]) {
      tree.reopen();
      tree.readable = readable;
      assert.throws(() => tree.update(puts([one, later], 'lost')), /EIO/);
      tree.readable = Infinity;
      tree.check([one, neighbour, later]);
      tree.update(puts([neighbour], String(readable)));
      tree.check([one, neighbour, later]);
    }
  });

  test('a bucket that is not the one of its page is reported when it is used, and the rest goes on', () => {
    const tree = new TestTree();
    tree.update(puts(many));
    const bucket = bucketOf(sha256('agent/7'));
    const good = tree.now.buckets.get(bucket)!;
    const damaged = Buffer.from(good);
    damaged[3]! ^= 1;
    for (const record of [damaged, null]) {
      const { root, pairs, pages } = tree.now;
      const buckets = applied(tree.now.buckets, new Map([[bucket, record]]));
      tree.history[0] = { root, pairs, pages, buckets };
      tree.reopen();
      const fault = {
        name: 'StoreError',
        message: /^the buckets \d+ to \d+ of the state tree are not/,
      };
      assert.throws(() => tree.path('agent/7'), fault);
      assert.throws(() => tree.tree.update(puts(['agent/8', 'agent/7'], '2'), 1), fault);
      assert.equal(tree.tree.root, root);
      tree.checkProof('agent/8');
      tree.history[0] = {
        root,
        pairs,
        pages,
        buckets: applied(buckets, new Map([[bucket, good]])),
      };
      tree.check(['agent/7', 'agent/8']);
    }
  });

  test('leaves out of order prove nothing: a walk down to a duplicate would not end', () => {
    const tree = new TestTree();
    tree.update(puts(SHARED_35));
    const { now } = tree;
    const [[bucket, good]] = [...now.buckets] as [[number, Buffer]];
    const [one, other] = [good.subarray(32, 96), good.subarray(96)];
    for (const leaves of [
      [one, one],
      [other, one],
    ]) {
      const record = Buffer.concat([good.subarray(0, 32), ...leaves]);
      tree.history[0] = { ...now, buckets: new Map([[bucket, record]]) };
      for (const key of SHARED_35) assert.throws(() => tree.path(key), { name: 'StoreError' });
    }
  });

  test('a page that is damaged is reported at the start', () => {
    const tree = new TestTree();
    tree.update(puts(many));
    const [page, good] = [...tree.now.pages].findLast(([number]) => number >= 512)!;
    const wrongHash = Buffer.from(good);
    wrongHash[wrongHash.length - 1]! ^= 1;
    const wrongKind = Buffer.from(good);
    wrongKind[0] = 3;
    for (const [record, message] of [
      [
        wrongHash,
        /^the state tree has root [a-f0-9]{64}, block 0 says [a-f0-9]{64}; run netd verify$/,
      ],
      [wrongKind, new RegExp(`^page ${page} of the state tree is damaged; run netd verify$`)],
      [good.subarray(0, 40), new RegExp(`^page ${page} of the state tree is damaged`)],
      [Buffer.alloc(0), new RegExp(`^page ${page} of the state tree is damaged`)],
      [null, /^the state tree has root/],
    ] as const) {
      tree.reopenWith(page, record, message);
    }
    tree.reopen();
  });

  test('so is one above it, which the others lead to', () => {
    const tree = new TestTree();
    tree.update(puts(many));
    const number = (page: number): RegExp =>
      new RegExp(`^page ${page} of the state tree is damaged; run netd verify$`);
    for (const page of [1, 16, 31]) {
      const damaged = Buffer.from(tree.now.pages.get(page)!);
      damaged[damaged.length - 1]! ^= 1;
      for (const record of [damaged, null]) tree.reopenWith(page, record, number(page));
    }
    const empty = new TestTree();
    empty.update(new Map());
    empty.reopenWith(1, Buffer.alloc(16), number(1));
    tree.reopen();
  });
});
