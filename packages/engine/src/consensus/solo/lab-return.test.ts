/** A laboratory's revert restores the database to the byte, repeatedly and nested. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { OPERATOR, tokenOf } from '@netd/ledger/testing';
import type { Genesis, JsonObject } from '@netd/protocol';
import { hashOfDigit } from '@netd/protocol/testing';
import { ChainHarness, HARNESS_GENESIS, verdictOf } from '@netd/testkit/chain-harness';
import { dump } from '@netd/testkit/dump-store';
import { tempDir } from '@netd/testkit/temp-dir';
import { validateChain } from '@netd/testkit/validate-chain';
import { verifyDatabase } from '../../replay/verify.ts';

async function openLab(t: TestContext, founding: Genesis = HARNESS_GENESIS): Promise<ChainHarness> {
  const genesis: Genesis = { ...founding, laboratory: true };
  const harness = await ChainHarness.open({ path: join(tempDir(t), 'chain'), genesis });
  t.after(() => harness.close());
  await harness.settle();
  await harness.lab.run({ do: 'mode', mode: 'each' });
  return harness;
}

const mine = (blocks: number, milliseconds = 0) => ({ do: 'mine', blocks, milliseconds }) as const;
const keep = (harness: ChainHarness, id: string) => harness.lab.run({ do: 'snapshot', id });
const back = (harness: ChainHarness, id: string) => harness.lab.run({ do: 'revert', id });
const everything = (harness: ChainHarness): unknown => [...dump(harness.store)];
const tokens = (harness: ChainHarness, tokenId: string, members: JsonObject = {}) =>
  harness.intent(OPERATOR, 'createToken', tokenOf({ tokenId, ...members }));

test('back is back to the byte, and life goes on as if nothing had been', async (t) => {
  const harness = await openLab(t);
  await harness.join('alice', 'bob');
  const joined = harness.registration('carol');
  const [height, clock] = [harness.chain.height, harness.lab.now()];
  const before = everything(harness);
  await keep(harness, 's1');
  for (const round of [1, 2, 3]) {
    await harness.commit(joined, tokens(harness, 'tok-one'), harness.gift('bob', round));
    await harness.lab.run(mine(30, 86_400_000));
    assert.ok(harness.chain.height > height + 30);
    await back(harness, 's1');
    assert.deepEqual(everything(harness), before, `round ${round}`);
    assert.equal(harness.chain.height, height);
    // Skipped time is reverted with its blocks; elapsed time is not.
    assert.ok(harness.lab.now() - clock < 3_600_000, String(harness.lab.now() - clock));
    assert.deepEqual(validateChain(harness.store), []);
  }
  assert.equal(harness.lab.reverts, 3);
  // An envelope from a reverted block is new again.
  await harness.commit(joined);
  assert.deepEqual(validateChain(harness.store), []);
  assert.equal(harness.halted, null);
  assert.deepEqual(harness.failures, []);
});

test('a return removes the snapshots after its own', async (t) => {
  const harness = await openLab(t);
  const states = new Map<string, unknown>();
  for (const id of ['s1', 's2', 's3']) {
    await harness.commit(harness.registration(`agent-${id}`));
    states.set(id, everything(harness));
    await keep(harness, id);
  }
  await harness.commit(harness.gift('agent-s3'));
  await back(harness, 's3');
  assert.deepEqual(everything(harness), states.get('s3'));
  await harness.commit(harness.gift('agent-s1', 7));
  await back(harness, 's2');
  assert.deepEqual(everything(harness), states.get('s2'));
  assert.deepEqual(
    harness.lab.snapshots.map(({ id }) => id),
    ['s1', 's2'],
  );
  await assert.rejects(back(harness, 's3'), /no snapshot s3/);
  // Blocks after the return are also undone by a return to the snapshot below.
  await harness.commit(harness.gift('agent-s2', 9), harness.registration('late'));
  await back(harness, 's1');
  assert.deepEqual(everything(harness), states.get('s1'));
  assert.deepEqual(validateChain(harness.store), []);
});

test('a key that was exchanged since is not believed any more', async (t) => {
  const harness = await openLab(t);
  await harness.join('alice');
  assert.ok(harness.store.get('authority/alice'));
  await keep(harness, 's1');
  await harness.commit(harness.registration('mallory'));
  assert.ok(harness.store.get('authority/mallory'));
  await back(harness, 's1');
  assert.equal(harness.store.get('authority/mallory'), undefined);
  const [result] = harness.submit(harness.gift('alice', 5));
  assert.equal(verdictOf(await result!), 'committed');
});

test('what waits for a block is told that its chain is no more', async (t) => {
  const harness = await openLab(t);
  await harness.lab.run({ do: 'mode', mode: 'none' });
  await keep(harness, 's1');
  const [waiting] = harness.submit(harness.registration('alice'));
  await harness.settle();
  await back(harness, 's1');
  const result = await waiting!;
  assert.equal(result.status === 'refused' && result.refusal.code, 'LAB_REVERTED');
  await harness.lab.run(mine(1));
  assert.equal(harness.store.get('agent/alice'), undefined);
});

test('listeners hear once of each return, with the head already there', async (t) => {
  const harness = await openLab(t);
  await keep(harness, 's1');
  const { height } = harness.chain;
  const told: number[] = [];
  harness.chain.onReturn(() => told.push(harness.chain.height));
  await harness.lab.run(mine(4));
  await back(harness, 's1');
  await back(harness, 's1');
  assert.deepEqual(told, [height, height]);
});

test('a return from version 2 of the rules executes and verifies version 1 again', async (t) => {
  const { rules: _, policy, ...members } = HARNESS_GENESIS;
  const governance = { ...policy.governance, timelock: { heights: 2, milliseconds: 1 } };
  const harness = await openLab(t, { ...members, policy: { ...policy, governance } });
  const active = () =>
    (harness.store.get('rules/active') as { version: number } | undefined)?.version;
  await harness.join('alice');
  const height = harness.chain.height + 4;
  const payload = { version: 2, height, artifactHash: hashOfDigit('a') };
  await harness.commit(harness.intent(OPERATOR, 'scheduleRules', payload));
  const before = everything(harness);
  await keep(harness, 's1');
  const crosses = async (): Promise<void> => {
    await harness.lab.run(mine(5));
    assert.equal(active(), 2);
    const [late] = harness.submit(harness.registration('verifier-2'));
    assert.equal(verdictOf(await late!), 'NAME_RESERVED');
    const report = await verifyDatabase(harness.store.path, {});
    assert.deepEqual([report.height, report.fault], [harness.chain.height, null]);
  };
  await crosses();
  await back(harness, 's1');
  assert.deepEqual(everything(harness), before);
  assert.equal(active(), undefined);
  // Only version 1 leaves the name free.
  await harness.commit(harness.registration('verifier-1'));
  assert.ok(harness.store.get('agent/verifier-1'));
  await crosses();
});
