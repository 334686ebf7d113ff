/** Blocks written in one transaction give the same database as blocks written one by one. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Submission } from '@netd/ledger';
import { BlockExecutor } from '../executor/block-executor.ts';
import { identityOf } from '../executor/chain-identity.ts';
import { genesisBlock } from '../executor/genesis-block.ts';
import { tipOf } from '../executor/tip.ts';
import { VerifierPool } from '../mempool/verifier-pool.ts';
import { StateTree } from '../store/tree/state-tree.ts';
import { Store } from '../store/store.ts';
import { ChainHarness } from '@netd/testkit/chain-harness';
import { goldenChain, goldenSource } from '@netd/testkit/golden-chain';
import { tempDir } from '@netd/testkit/temp-dir';
import { BlockReplay, type ReplayedBlock } from './block-replay.ts';
import { snapshotSource, type BlockSource } from './block-source.ts';
import { verifyDatabase } from './verify.ts';

const MOST_TOGETHER = 16;

const verifier = new VerifierPool();
after(() => verifier.close());

/**
 * Writes a chain in transactions of so many blocks, and holds every table against a replay block by block.
 * @returns all its nonces with their expiry: of those that have expired the comparison says nothing
 */
async function requireSame(
  source: BlockSource,
  lengthAfter: (length: number) => number,
): Promise<[string, string][]> {
  const { genesis, height } = source;
  const path = tempDir({ after });
  const store = Store.open(path, { scratch: true });
  const identity = identityOf(genesis);
  const { hash, write } = genesisBlock(genesis, new StateTree(store));
  const { certificate } = await source.block(0);
  await store.initialise(genesis, { ...write, certificate });
  const executor = BlockExecutor.load(identity, store, tipOf(write.header, hash), MOST_TOGETHER);
  const blocks = new BlockReplay({ state: store, verifier });
  let waiting: ReplayedBlock[] = [];
  let length = lengthAfter(0);
  for await (const prepared of blocks.prepareAhead(1, height, (at) => source.block(at))) {
    waiting.push(await blocks.execute(prepared, executor));
    if (waiting.length < length && prepared.height < height) continue;
    await store.commitBlocks(waiting.map((replayed) => replayed.write));
    for (const replayed of waiting) executor.commit(replayed.hash);
    waiting = [];
    length = lengthAfter(length);
  }
  const nonces = noncesOf(store);
  await store.close();
  assert.equal((await verifyDatabase(path, {})).fault, null);
  return nonces;
}

const noncesOf = ({ tables }: Store): [string, string][] =>
  [...tables.nonces.getRange({})].map(({ key, value }) => [key, value]);

test('on a chain on which everything has happened, in transactions of every length', async () => {
  await requireSame(goldenSource(goldenChain()), (length) => (length % MOST_TOGETHER) + 1);
});

test('where nonces are spent, expire, go with their leaf and are spent again in one transaction', async (t) => {
  const harness = await ChainHarness.open({ path: tempDir(t) });
  t.after(() => harness.close());
  const spend = (nonce: string, lifetime: number): Submission =>
    harness.gift('alice', 1, { nonce, expiresAtHeight: harness.chain.height + lifetime });
  await harness.join('alice');
  await harness.commit(spend('once', 1), spend('twice', 1), spend('thrice', 1), spend('other', 3));
  const { height } = harness.chain;
  await harness.commit(spend('twice', 40), spend('fleeting', 1));
  await harness.commit(harness.gift('alice'));
  // In the block that removes the leaf.
  await harness.commit(spend('thrice', 40));
  await harness.commit(spend('once', 40));
  await harness.commit(harness.gift('alice'));
  const snapshot = harness.store.snapshot();
  try {
    const source = snapshotSource(snapshot, harness.genesis);
    assert.equal(snapshot.stateText(`nonce/${height}`), undefined);
    const nonces = noncesOf(harness.store);
    for (const first of [1, height - 1, height, height + 1, height + 2]) {
      const found = await requireSame(source, (length) => (length === 0 ? first : MOST_TOGETHER));
      assert.deepEqual(found, nonces, `if the first transaction has ${first} blocks`);
    }
  } finally {
    snapshot.close();
  }
});
