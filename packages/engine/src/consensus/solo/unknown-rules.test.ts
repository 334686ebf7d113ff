/**
 * A version of the rules that this code lacks: the chain stops before its first block, with an intact
 * database.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { canonicalize } from '@netd/protocol';
import { hashOfDigit } from '@netd/protocol/testing';
import { DEVNET_POLICY, NEWEST_RULES, UnknownRulesError } from '@netd/ledger';
import { OPERATOR } from '@netd/ledger/testing';
import { ChainHarness, verdictOf } from '@netd/testkit/chain-harness';
import { tempDir } from '@netd/testkit/temp-dir';
import { Chain } from '../../chain/chain.ts';
import { snapshotSource, type BlockSource } from '../../replay/block-source.ts';
import { verifySource } from '../../replay/verify.ts';

const ARTIFACT = hashOfDigit('a');
const version = NEWEST_RULES + 1;

/** Schedules the version, and lets its minimum time pass. */
async function scheduled(t: TestContext): Promise<{ harness: ChainHarness; height: number }> {
  const path = join(tempDir(t), 'chain');
  const harness = await ChainHarness.open({ path, idleBlockTime: 100_000_000 });
  t.after(() => harness.close());
  await harness.join('alice');
  const height = harness.chain.height + 8;
  const schedule = { version, height, artifactHash: ARTIFACT };
  await harness.commit(harness.intent(OPERATOR, 'scheduleRules', schedule));
  await harness.advance(DEVNET_POLICY.governance.timelock.milliseconds);
  return { harness, height };
}

async function untilHalted(harness: ChainHarness, height: number): Promise<void> {
  while (harness.chain.height < height - 1) await harness.commit(harness.gift('alice'));
  await harness.advance(1_000);
}

test('a solo node halts before the first block of unknown rules, and names the release', async (t) => {
  const { harness, height } = await scheduled(t);
  await untilHalted(harness, height);
  assert.equal(harness.chain.height, height - 1);
  assert.match(
    String(harness.halted),
    new RegExp(`block ${height} .* version ${version} .*${ARTIFACT}`),
  );
  const [late] = await Promise.all(harness.submit(harness.gift('alice')));
  assert.equal(late && verdictOf(late), 'unavailable');
  assert.deepEqual(harness.failures, []);
  const active = harness.store.get('rules/active') as { fromHeight: number };
  assert.equal(active.fromHeight, height);
});

test('a database whose head has unknown rules is not opened', async (t) => {
  const { harness, height } = await scheduled(t);
  await untilHalted(harness, height);
  const { genesis, store } = harness;
  const open = () =>
    Chain.open({ store, genesis, committer: store, certifyGenesis: () => assert.fail() });
  assert.equal((await open()).height, height - 1);
  const active = store.get('rules/active') as object;
  await store.tables.state.put('rules/active', canonicalize({ ...active, fromHeight: height - 1 }));
  await assert.rejects(
    open(),
    (error) => error instanceof UnknownRulesError && error.message.includes(ARTIFACT),
  );
});

test('a verification without the rules says how far it got, and fails', async (t) => {
  const { harness, height } = await scheduled(t);
  await untilHalted(harness, height);
  const { genesis, store, chain } = harness;
  const snapshot = store.snapshot();
  const known = snapshotSource(snapshot, genesis);
  const source: BlockSource = {
    ...known,
    height,
    // A block of a validator that has the rules.
    block: async (at) => {
      if (at < height) return known.block(at);
      const { header, certificate } = await known.block(height - 1);
      const next = { ...header, height, previousBlockHash: chain.head.blockHash };
      // A kind that only later versions know.
      return { header: next, certificate, transitions: ['{"kind":"later"}'] };
    },
  };
  const report = await verifySource(source, {}, () => null);
  snapshot.close();
  assert.equal(report.ok, false);
  assert.equal(report.fault?.height, height);
  assert.match(
    report.fault?.reason ?? '',
    new RegExp(`^verified up to block ${height - 1}: .*${ARTIFACT}`),
  );
});
