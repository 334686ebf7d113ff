/**
 * Faults other than crashes among four validators with a real CometBFT each. A build runs only the fault that
 * alters a validator's state, which halts it alone.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Receipt } from '@netd/protocol';
import { inCampaign, until } from '@netd/protocol/testing';
import { validateChain } from '@netd/testkit/validate-chain';
import type { BlockCommitter } from '../../chain/chain.ts';
import { systemClock, type Clock } from '../../chain/clock.ts';
import { Store } from '../../store/store.ts';
import { Writes } from '../../store/writes.ts';
import {
  CometNetwork,
  PATIENCE_MILLISECONDS,
  type CometValidator,
} from './testing/comet-network.ts';
import { cometbftHere } from './testing/cometbft-here.ts';

const SKEW = 30_000;

/** The fourth validator's ledger has a clock that is half a minute ahead. */
const AHEAD: Clock = { ...systemClock, now: () => systemClock.now() + SKEW };

/** A disk that can be full. */
class FullDisk {
  isFull = false;

  readonly committerOf = (committer: BlockCommitter): BlockCommitter => ({
    commitBlocks: async (blocks) => {
      if (this.isFull) {
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      }
      await committer.commitBlocks(blocks);
    },
  });
}

const hashAt = (validator: CometValidator, height: number): string | undefined =>
  validator.read((snapshot) => snapshot.blockAt(height)?.certificate.blockHash);

/** All validators have the same block at this height. */
async function agree(validators: readonly CometValidator[], height: number): Promise<void> {
  await Promise.all(validators.map((validator) => validator.reached(height)));
  const hashes = new Set(validators.map((validator) => hashAt(validator, height)));
  assert.equal(hashes.size, 1, `block ${height}: ${[...hashes].join()}`);
}

async function start(
  t: TestContext,
  options: Parameters<typeof CometNetwork.start>[3] = {},
): Promise<CometNetwork | null> {
  const binary = await cometbftHere(t);
  return binary === null ? null : CometNetwork.start(t, binary, 4, options);
}

test('one of four validators catches up after a pause, a cut or a full disk, and halts alone if it diverges', async (t) => {
  const disk = new FullDisk();
  const worlds = [undefined, { committerOf: disk.committerOf }, undefined, { clock: AHEAD }];
  const it = await start(t, { relayed: 2, worlds });
  if (!it) return;
  const all = [0, 1, 2, 3].map((index) => it.at(index));
  const [one, two, three, four] = all as [
    CometValidator,
    CometValidator,
    CometValidator,
    CometValidator,
  ];
  const pay = (validator: CometValidator): Promise<Receipt> => validator.insist(it.gift('ada', 1));
  const joined = await one.insist(it.registration('ada'));
  // No block is in flight when the first validator is paused.
  await agree(all, joined.height);

  await t.test('its engine is paused', inCampaign, async () => {
    two.pauseEngine(true);
    const before = two.chain.height;
    let paid: Receipt;
    try {
      await pay(one);
      paid = await pay(three);
      assert.equal(two.chain.height, before);
    } finally {
      // A paused process receives no signal to end, either.
      two.pauseEngine(false);
    }
    await agree(all, paid.height);
  });

  await t.test('its connections are cut, and mended', async () => {
    it.cut(true);
    const before = three.chain.height;
    const paid = await pay(one);
    assert.equal(three.chain.height, before);
    // An envelope sent to the validator meanwhile is answered in time, and committed once it has peers again.
    const held = it.gift('ada', 2);
    const answer = await three.submit(held);
    assert.deepEqual(answer, { status: 'unavailable', cause: 'no-quorum' });
    it.cut(false);
    await agree(all, paid.height);
    const late = await three.insist(held);
    await agree(all, late.height);
  });

  await t.test('its disk is full for a while', inCampaign, async () => {
    disk.isFull = true;
    const before = two.chain.height;
    let paid = await pay(one);
    paid = await pay(four);
    assert.equal(two.chain.height, before);
    await until(() => two.failures.length > 0, PATIENCE_MILLISECONDS);
    assert.match(two.failures.join(), /ENOSPC/);
    assert.deepEqual(two.halts, []);
    disk.isFull = false;
    await agree(all, paid.height);
  });

  await t.test('its sockets are taken away', inCampaign, async () => {
    rmSync(it.socketsOf(1), { recursive: true });
    await until(() => two.engineEnds.length > 0, PATIENCE_MILLISECONDS);
    assert.match(two.engineEnds.join(), /\/abci, .* was removed: .*TMPDIR/);
    const paid = await pay(two);
    await agree(all, paid.height);
    rmSync(join(it.socketsOf(1), 'abci'));
    await two.killEngine();
    const later = await pay(two);
    await agree(all, later.height);
    assert.equal(two.engineEnds.length, 2);
    assert.deepEqual(two.halts, []);
  });

  await t.test('a clock half a minute ahead', async () => {
    // CheckTx reads the clock and blocks do not, so all validators accept the same.
    const paid = await pay(four);
    await agree(all, paid.height);
    const time = four.read((snapshot) => Date.parse(snapshot.block.header.timestamp));
    assert.ok(time < Date.now() + SKEW / 2, 'blocks are dated by the majority');
  });

  await t.test('its state was changed behind its back', async () => {
    await it.down(1);
    const store = Store.open(it.storePath(1));
    const text = store.tables.state.get('account/ada') as string;
    const writes = new Writes();
    writes.put(store.tables.state, 'account/ada', text.replace(/"balance":(\d)/, '"balance":9$1'));
    await store.writeAll(writes);
    await store.close();
    const wrong = await it.up(1);
    const paid = await pay(one);
    await until(() => wrong.halts.length > 0, PATIENCE_MILLISECONDS);
    assert.match(
      wrong.halts.join(),
      new RegExp(`certified something else than block ${paid.height} `),
    );
    const later = await pay(three);
    await agree([one, three, four], later.height);
    assert.ok(wrong.chain.height < paid.height);
  });

  for (const validator of [one, three, four]) {
    assert.deepEqual(validator.halts, []);
    assert.deepEqual(validateChain(validator.store), []);
  }
});
