import assert from 'node:assert/strict';
import { VerifierPool } from '../mempool/verifier-pool.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { timerQueue } from '@netd/ledger';
import { OPERATOR, workOrderOf } from '@netd/ledger/testing';
import { canonicalize } from '@netd/protocol';
import { Store } from '../store/store.ts';
import { ChainHarness, HARNESS_GENESIS } from '@netd/testkit/chain-harness';
import { snapshotSource, type BlockSource } from './block-source.ts';
import { InvalidChainError } from './block-replay.ts';
import { Replay } from './replay.ts';

const root = mkdtempSync(join(tmpdir(), 'netd-system-test-'));
const WAIT = { heights: 2, milliseconds: 15_000 };
let harness: ChainHarness;
/** The height of the block that the order's timeout opens. */
let timeout = 0;

before(async () => {
  harness = await ChainHarness.open({ path: join(root, 'chain') });
  await harness.join('alice');
  const order = workOrderOf('o-1', { acceptWithin: WAIT });
  await harness.commit(harness.intent(OPERATOR, 'createWorkOrder', order));
});
after(async () => {
  await harness.close();
  rmSync(root, { recursive: true, force: true });
});

/** Replays a modified timeout block from genesis. */
async function faultOf(
  change: (transitions: string[]) => string[],
  height = timeout,
): Promise<string | null> {
  const snapshot = harness.store.snapshot();
  const scratch = Store.open(mkdtempSync(join(root, 'scratch-')), { scratch: true });
  try {
    const honest = snapshotSource(snapshot, HARNESS_GENESIS);
    const source: BlockSource = {
      ...honest,
      block: async (at) => {
        const block = await honest.block(at);
        return at === height ? { ...block, transitions: change(block.transitions) } : block;
      },
    };
    await new Replay(source, scratch, new VerifierPool(1), () => {}).run();
    return null;
  } catch (error) {
    if (error instanceof InvalidChainError) return `${error.height}: ${error.message}`;
    throw error;
  } finally {
    snapshot.close();
    await scratch.close();
  }
}

const made = (kind: string, subject: string): string =>
  canonicalize({ schema: 'NET-SYSTEM-TRANSITION/1', kind, height: timeout, subject });

test('an idle chain makes the block that is due, without any envelope', async () => {
  while (harness.store.get('order/o-1') !== undefined && timeout === 0) {
    await harness.advance(10_000);
    const order = harness.store.get('order/o-1') as { status: string; reason: string };
    if (order.status === 'OPEN') continue;
    assert.equal(order.reason, 'ACCEPTANCE_TIMEOUT');
    timeout = harness.chain.height;
  }
  const snapshot = harness.store.snapshot();
  assert.deepEqual(
    snapshot.transitionsOf(timeout).map(({ text }) => text),
    [made('timeOutWorkAcceptance', 'o-1')],
  );
  assert.deepEqual(
    snapshot.eventsOf(timeout).map(({ type }) => type),
    ['WorkOrderRejected'],
  );
  for (const awaits of ['TIME', 'HEIGHT'] as const) {
    const queue = timerQueue('timeOutWorkAcceptance', awaits);
    assert.deepEqual(harness.store.due(queue, Number.MAX_SAFE_INTEGER - 1, 9), []);
  }
  snapshot.close();
});

test('an envelope that is refused in a block that is due does not stop it', async () => {
  const [receipt] = await harness.commit(
    harness.intent(OPERATOR, 'createWorkOrder', workOrderOf('o-2', { acceptWithin: WAIT })),
  );
  assert.ok(receipt);
  // The time passes with one idle block, so the order waits for its height.
  await harness.advance(20_000);
  const [refusal] = harness.submit(
    harness.intent('alice', 'acceptWork', { orderId: 'o-0', agentId: 'alice' }),
  );
  await harness.advance(100);
  assert.equal((await refusal)?.status, 'refused');
  await harness.advance(20_000);
  assert.equal((harness.store.get('order/o-2') as { status: string }).status, 'REJECTED');
});

test('a replay makes the same transitions', async () => {
  assert.equal(await faultOf((texts) => texts), null);
});

test('a replay finds a system transition that is missing, another, doubled, or not due', async () => {
  const missing = `${timeout}: the system transitions that are due do not open the block`;
  assert.equal(await faultOf(() => []), missing);
  assert.equal(await faultOf(() => [made('settleWork', 'o-1')]), missing);
  assert.equal(
    await faultOf((texts) => [...texts, ...texts]),
    `${timeout}: transition 1 is a system transition that is not due`,
  );
  assert.equal(
    await faultOf((texts) => [...texts, made('settleWork', 'o-9')], timeout - 1),
    `${timeout - 1}: transition 0 is a system transition that is not due`,
  );
});
