import assert from 'node:assert/strict';
import { VerifierPool } from '../chain/verifier-pool.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { OPERATOR, workOrderOf } from '@netd/ledger/testing';
import { canonicalize } from '@netd/protocol';
import { Store } from '../store/store.ts';
import { ChainRig, RIG_GENESIS } from '../testing/chain-rig.ts';
import { snapshotSource, type BlockSource } from './block-source.ts';
import { ChainFaultError, Replay } from './replay.ts';

const root = mkdtempSync(join(tmpdir(), 'netd-system-test-'));
const WAIT = { heights: 2, milliseconds: 15_000 };
let rig: ChainRig;
/** The height of the block that the lapse of the order opens. */
let lapse = 0;

before(async () => {
  rig = await ChainRig.open({ path: join(root, 'chain') });
  await rig.join('alice');
  const order = workOrderOf('o-1', { acceptWithin: WAIT });
  await rig.commit(rig.intent(OPERATOR, 'createWorkOrder', order));
});
after(async () => {
  await rig.close();
  rmSync(root, { recursive: true, force: true });
});

/** The block at the lapse as a test wants it, replayed from genesis. */
async function faultOf(
  change: (transitions: string[]) => string[],
  height = lapse,
): Promise<string | null> {
  const snapshot = rig.store.snapshot();
  const scratch = Store.open(mkdtempSync(join(root, 'scratch-')), { scratch: true });
  try {
    const honest = snapshotSource(snapshot, RIG_GENESIS);
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
    if (error instanceof ChainFaultError) return `${error.height}: ${error.message}`;
    throw error;
  } finally {
    snapshot.close();
    await scratch.close();
  }
}

const made = (kind: string, subject: string): string =>
  canonicalize({ schema: 'NET-SYSTEM-TRANSITION/1', kind, height: lapse, subject });

test('an idle chain makes the block that is due, without any envelope', async () => {
  while (rig.store.get('order/o-1') !== undefined && lapse === 0) {
    await rig.advance(10_000);
    const order = rig.store.get('order/o-1') as { status: string; reason: string };
    if (order.status === 'OPEN') continue;
    assert.equal(order.reason, 'ACCEPTANCE_TIMEOUT');
    lapse = rig.chain.height;
  }
  const snapshot = rig.store.snapshot();
  assert.deepEqual(
    snapshot.transitionsOf(lapse).map(({ text }) => text),
    [made('lapseWorkAcceptance', 'o-1')],
  );
  assert.deepEqual(
    snapshot.eventsOf(lapse).map(({ type }) => type),
    ['WorkOrderRejected'],
  );
  assert.deepEqual(rig.store.due('work-clock', Number.MAX_SAFE_INTEGER, 9), []);
  snapshot.close();
});

test('an envelope that is refused in a block that is due does not stop it', async () => {
  const [receipt] = await rig.commit(
    rig.intent(OPERATOR, 'createWorkOrder', workOrderOf('o-2', { acceptWithin: WAIT })),
  );
  assert.ok(receipt);
  // The time passes with one idle block, the heights do not: then the order waits for its height.
  await rig.advance(20_000);
  const [refusal] = rig.submit(
    rig.intent('alice', 'acceptWork', { orderId: 'o-0', agentId: 'alice' }),
  );
  await rig.advance(100);
  assert.equal((await refusal)?.status, 'refused');
  await rig.advance(20_000);
  assert.equal((rig.store.get('order/o-2') as { status: string }).status, 'REJECTED');
});

test('a replay makes the same transitions', async () => {
  assert.equal(await faultOf((texts) => texts), null);
});

test('a replay finds a system transition that is missing, another, doubled, or not due', async () => {
  const missing = `${lapse}: the system transitions that are due do not open the block`;
  assert.equal(await faultOf(() => []), missing);
  assert.equal(await faultOf(() => [made('settleWork', 'o-1')]), missing);
  assert.equal(
    await faultOf((texts) => [...texts, ...texts]),
    `${lapse}: transition 1 is a system transition that is not due`,
  );
  assert.equal(
    await faultOf((texts) => [...texts, made('settleWork', 'o-9')], lapse - 1),
    `${lapse - 1}: transition 0 is a system transition that is not due`,
  );
});
