import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Submission } from '@netd/ledger';
import { testKey } from '@netd/ledger/testing';
import { sha256, verifyStateProof } from '@netd/protocol';
import { proveState } from '../chain/proofs.ts';
import { SoloSigner, statementOf } from '../chain/signer.ts';
import { bucketOf } from '../store/tree/tree-records.ts';
import { ChainHarness } from '@netd/testkit/chain-harness';
import { tempDir } from '@netd/testkit/temp-dir';
import { validateChain } from '@netd/testkit/validate-chain';
import { BlockExecutor, type CandidateBlock } from './block-executor.ts';
import type { Tip } from './tip.ts';

const signer = new SoloSigner('validator-1', testKey('validator').privateKeyPem);

/** A chain that the test drives through its own executor. */
class Speculation {
  readonly harness: ChainHarness;
  readonly executor: BlockExecutor;
  private time = Date.parse('2026-01-02T00:00:00.000Z');

  private constructor(harness: ChainHarness) {
    const { chain, store } = harness;
    this.harness = harness;
    this.executor = BlockExecutor.load(chain.identity, store, chain.head);
  }

  static async start(t: TestContext): Promise<Speculation> {
    const path = join(tempDir(t), 'chain');
    const harness = await ChainHarness.open({ path, idleBlockTime: 100_000_000 });
    t.after(() => harness.close());
    await harness.join('alice', 'bob');
    return new Speculation(harness);
  }

  execute(parent: Tip, ...submissions: Submission[]): CandidateBlock {
    const open = this.executor.open(parent, this.time++);
    for (const submission of submissions) assert.ok(open.execution.execute(submission).ok);
    return this.executor.seal(open);
  }

  async commit({ hash, write }: CandidateBlock): Promise<void> {
    const set = this.harness.chain.validatorSetAt(0);
    const certificate = signer.certify(statementOf(write.header, hash), set);
    await this.harness.store.commitBlock({ ...write, certificate });
    this.executor.commit(hash);
  }

  balance(id: string): unknown {
    return (this.harness.store.get(`account/${id}`) as { balance: number }).balance;
  }

  /** Proves every key that these tests touch in the committed state. */
  requireProofs(...others: string[]): void {
    const snapshot = this.harness.store.snapshot();
    const usual = ['account/alice', 'account/bob', 'account/carol', 'commitment/latest'];
    for (const key of [...usual, ...others]) {
      const proof = proveState(snapshot, key);
      const text = snapshot.stateText(key) ?? null;
      const verdict = verifyStateProof(key, text, proof, snapshot.block.header.stateRoot);
      assert.deepEqual(verdict, { ok: true, present: text !== null });
    }
    snapshot.close();
  }
}

test('a candidate leaves the committed state alone until it is committed', async (t) => {
  const it = await Speculation.start(t);
  const { head } = it.harness.chain;
  const before = it.balance('alice');
  const block = it.execute(head, it.harness.gift('alice', 5));
  assert.equal(it.balance('alice'), before);
  assert.equal(it.executor.newest, block.tip);
  it.requireProofs();
  await it.commit(block);
  assert.notEqual(it.balance('alice'), before);
  it.requireProofs();
});

test('the same block on the same predecessor has the same hash, whatever was tried before', async (t) => {
  const it = await Speculation.start(t);
  const { head } = it.harness.chain;
  const gift = it.harness.gift('alice', 5);
  const at = Date.parse('2026-01-03T00:00:00.000Z');
  const run = (): string => {
    const open = it.executor.open(head, at);
    assert.ok(open.execution.execute(gift).ok);
    return it.executor.seal(open).hash;
  };
  const first = run();
  it.execute(head, it.harness.gift('bob', 7), it.harness.registration('carol'));
  assert.equal(run(), first);
});

test('of rivals any can be committed, and the others are gone', async (t) => {
  const it = await Speculation.start(t);
  for (const chosen of [0, 1, 2]) {
    const head = it.executor.newest;
    const rivals = ['alice', 'bob', 'alice'].map((to, i) =>
      it.execute(head, it.harness.gift(to, 10 * chosen + i + 1)),
    );
    const block = rivals[chosen]!;
    it.executor.keepBranch(block.hash);
    assert.deepEqual(
      rivals.map(({ hash }) => it.executor.has(hash)),
      rivals.map((rival) => rival === block),
    );
    assert.equal(it.executor.tree.root, block.tip.stateRoot);
    it.requireProofs();
    await it.commit(block);
    assert.equal(it.executor.newest, block.tip);
    it.requireProofs();
  }
});

test('a rival on another candidate is executed on the state of that one', async (t) => {
  const it = await Speculation.start(t);
  const { head } = it.harness.chain;
  const register = it.harness.registration('carol');
  const one = it.execute(head, it.harness.gift('alice', 1));
  const two = it.execute(head, register);
  // Only the second candidate has a carol to pay.
  const open = it.executor.open(one.tip, Date.parse('2026-02-01T00:00:00.000Z'));
  const refused = open.execution.execute(it.harness.gift('carol', 1));
  assert.ok(!refused.ok && refused.refusal.code === 'RECIPIENT_UNKNOWN');
  const three = it.execute(two.tip, it.harness.gift('carol', 1));
  await it.commit(two);
  assert.ok(it.executor.has(three.hash) && !it.executor.has(one.hash));
  assert.equal(three.state.baseReader(), it.harness.store, 'memory does not pile up');
  it.requireProofs();
  await it.commit(three);
  assert.equal(it.balance('carol'), 1);
  it.requireProofs();
});

test('rivals on one candidate both stand on its state, and either can follow it', async (t) => {
  const it = await Speculation.start(t);
  for (const chosen of [0, 1]) {
    const one = it.execute(it.executor.newest, it.harness.gift('alice', 1));
    const rivals = ['alice', 'bob'].map((to) => it.execute(one.tip, it.harness.gift(to, 2)));
    it.requireProofs();
    await it.commit(one);
    it.requireProofs();
    await it.commit(rivals[chosen]!);
    it.requireProofs();
    assert.deepEqual(validateChain(it.harness.store), []);
  }
});

test('a candidate on another one sees what that one wrote into the same bucket', async (t) => {
  const it = await Speculation.start(t);
  const byBucket = new Map<number, string>();
  const pairs: string[][] = [];
  for (let i = 0; pairs.length === 0; i++) {
    const id = `agent-${i}`;
    const bucket = bucketOf(sha256(`account/${id}`));
    const other = byBucket.get(bucket);
    if (other !== undefined) pairs.push([other, id]);
    byBucket.set(bucket, id);
  }
  const [first = '', second = ''] = pairs[0] ?? [];
  const one = it.execute(it.harness.chain.head, it.harness.registration(first));
  const two = it.execute(one.tip, it.harness.registration(second));
  await it.commit(one);
  await it.commit(two);
  it.requireProofs(`account/${first}`, `account/${second}`);
});

test('discards a candidate with those built on it, and restores the tree', async (t) => {
  const it = await Speculation.start(t);
  const { head } = it.harness.chain;
  const one = it.execute(head, it.harness.gift('alice', 1));
  const two = it.execute(one.tip, it.harness.gift('bob', 2));
  it.executor.discard(one.hash);
  assert.ok(!it.executor.has(one.hash) && !it.executor.has(two.hash));
  assert.equal(it.executor.tree.root, head.stateRoot);
  assert.throws(() => it.executor.open(two.tip, 0), /neither the head nor a candidate/);
  await it.commit(it.execute(head, it.harness.gift('bob', 3)));
  it.requireProofs();
});

test('candidates are bounded: the oldest rival goes, and only two stand on top of each other', async (t) => {
  const it = await Speculation.start(t);
  const { head } = it.harness.chain;
  const rivals = [1, 2, 3, 4].map((amount) => it.execute(head, it.harness.gift('alice', amount)));
  const above = it.execute(rivals[0]!.tip, it.harness.gift('alice', 5));
  assert.deepEqual(
    rivals.map(({ hash }) => it.executor.has(hash)),
    [true, false, true, true],
  );
  assert.throws(() => it.execute(above.tip, it.harness.gift('alice', 6)), /wait to be written/);
  await it.commit(rivals[0]!);
  it.requireProofs();
});

test('a block that breaks an invariant leaves tree and candidates as they were', async (t) => {
  const it = await Speculation.start(t);
  const { head } = it.harness.chain;
  const one = it.execute(head, it.harness.gift('alice', 1));
  const open = it.executor.open(one.tip, Date.parse('2026-02-01T00:00:00.000Z'));
  assert.ok(open.execution.execute(it.harness.gift('bob', 2)).ok);
  const { tree } = it.executor;
  const records = it.harness.store.tables.tree;
  const read = records.get.bind(records);
  let reads = 0;
  t.mock.method(records, 'get', (bucket: number) => {
    if (++reads === 2) throw new Error('EIO');
    return read(bucket);
  });
  assert.throws(() => it.executor.seal(open), /EIO/);
  t.mock.restoreAll();
  assert.equal(tree.root, one.tip.stateRoot);
  assert.equal(it.executor.newest, one.tip);
  it.executor.discard(one.hash);
  assert.equal(tree.root, head.stateRoot);
  await it.commit(it.execute(head, it.harness.gift('bob', 2)));
  it.requireProofs();
});
