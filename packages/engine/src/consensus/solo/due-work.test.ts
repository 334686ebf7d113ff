import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { OPERATOR, workOrderOf } from '@netd/ledger/testing';
import { ChainHarness, verdictOf } from '@netd/testkit/chain-harness';
import { tempDir } from '@netd/testkit/temp-dir';

const BLOCK_TIME = 100;
const IDLE = 10_000;
/** More than fit into two blocks. */
const ORDERS = 400;

/** Orders with one deadline, a second ahead. */
async function flooded(t: TestContext): Promise<ChainHarness> {
  const path = join(tempDir(t), 'chain');
  const harness = await ChainHarness.open({ path, blockTime: BLOCK_TIME, idleBlockTime: IDLE });
  t.after(() => harness.close());
  const acceptWithin = { heights: 1, milliseconds: 1_000 };
  const results = harness.submit(
    ...Array.from({ length: ORDERS }, (_, i) =>
      harness.intent(OPERATOR, 'createWorkOrder', workOrderOf(`o-${i}`, { acceptWithin })),
    ),
  );
  await harness.settle();
  await harness.advance(BLOCK_TIME);
  assert.ok((await Promise.all(results)).every((one) => verdictOf(one) === 'committed'));
  return harness;
}

function openOrders(harness: ChainHarness): number {
  const snapshot = harness.store.snapshot();
  try {
    return snapshot.get('counter', 'work-orders-open') ?? 0;
  } finally {
    snapshot.close();
  }
}

test('blocks follow each other while something is due, and stop when nothing is', async (t) => {
  const harness = await flooded(t);
  assert.equal(openOrders(harness), ORDERS);
  // The chain is idle until its next block has due work.
  await harness.advance(IDLE);
  const open: number[] = [openOrders(harness)];
  while (open.at(-1) !== 0 && open.length < ORDERS) {
    await harness.advance(BLOCK_TIME);
    open.push(openOrders(harness));
  }
  // 192 a block, one block each blockTime.
  assert.deepEqual(open, [208, 16, 0]);
  const { height } = harness.chain;
  for (let i = 0; i < 20; i++) await harness.advance(BLOCK_TIME);
  assert.equal(harness.chain.height, height, 'nothing is due: the chain is idle again');
  assert.equal(harness.executor.tree.root, harness.chain.head.stateRoot);
});

test('due work that cannot be written is tried again with the next idle block, not in a hurry', async (t) => {
  const harness = await flooded(t);
  const commitBlock = harness.store.commitBlock.bind(harness.store);
  harness.store.commitBlock = () => Promise.reject(new Error('EIO'));
  await harness.advance(IDLE);
  for (let i = 0; i < 20; i++) await harness.advance(BLOCK_TIME);
  assert.equal(harness.failures.length, 1);
  assert.equal(openOrders(harness), ORDERS);
  harness.store.commitBlock = commitBlock;
  await harness.advance(IDLE);
  for (let i = 0; i < 3; i++) await harness.advance(BLOCK_TIME);
  assert.equal(openOrders(harness), 0);
});
