/** A solo chain crosses from version 1 of the rules to version 2. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { DEVNET_POLICY } from '@netd/ledger';
import { OPERATOR } from '@netd/ledger/testing';
import type { Genesis } from '@netd/protocol';
import { hashOfDigit } from '@netd/protocol/testing';
import { ChainHarness, HARNESS_GENESIS, verdictOf } from '@netd/testkit/chain-harness';
import { dump } from '@netd/testkit/dump-store';
import { tempDir } from '@netd/testkit/temp-dir';
import { validateChain } from '@netd/testkit/validate-chain';
import type { SubmissionResult } from '../../mempool/mempool.ts';
import { verifyDatabase } from '../../replay/verify.ts';

const { rules: _, ...FOUNDING } = HARNESS_GENESIS;
const { timelock } = DEVNET_POLICY.governance;

const scheduleAt = (harness: ChainHarness, height: number) =>
  harness.intent(OPERATOR, 'scheduleRules', {
    version: 2,
    height,
    artifactHash: hashOfDigit('a'),
  });

async function openHarness(
  t: TestContext,
  { genesis = FOUNDING, at }: { genesis?: Genesis; at?: (name: string, height: number) => void },
): Promise<{ harness: ChainHarness; path: string }> {
  const path = join(tempDir(t), 'chain');
  const idleBlockTime = 100_000_000;
  const harness = await ChainHarness.open({ path, genesis, idleBlockTime, ...(at ? { at } : {}) });
  t.after(() => harness.close());
  await harness.settle();
  return { harness, path };
}

test('an envelope that arrived under version 1 is refused by the first block of version 2, and no other is', async (t) => {
  let crossing = Infinity;
  let waiting: Promise<SubmissionResult>[] = [];
  const { harness } = await openHarness(t, {
    at: (name, height) => {
      if (name !== 'block.writing' || height !== crossing - 1) return;
      waiting = harness.submit(
        harness.gift('alice', 2),
        harness.registration('verifier-2'),
        harness.gift('alice', 3),
      );
    },
  });
  await harness.join('alice', 'verifier-1');
  crossing = harness.chain.height + 6;
  await harness.commit(scheduleAt(harness, crossing));
  await harness.advance(timelock.milliseconds);
  while (harness.chain.height < crossing) await harness.commit(harness.gift('alice'));
  const verdicts = (await Promise.all(waiting)).map(verdictOf);
  assert.deepEqual(verdicts, ['committed', 'NAME_RESERVED', 'committed']);
  const { block } = harness.store.snapshot();
  assert.equal(block.header.height, crossing);
  assert.deepEqual([harness.failures, harness.halted], [[], null]);
  assert.deepEqual(validateChain(harness.store), []);
});

test('a laboratory goes back to before the crossing, to the byte, and crosses again', async (t) => {
  const { harness, path } = await openHarness(t, {
    genesis: { ...FOUNDING, laboratory: true },
  });
  await harness.lab.run({ do: 'mode', mode: 'each' });
  await harness.join('alice');
  const crossing = harness.chain.height + 8;
  await harness.commit(scheduleAt(harness, crossing));
  const everything = (): unknown => [...dump(harness.store)];
  const before = everything();
  await harness.lab.run({ do: 'snapshot', id: 's1' });
  for (const round of [1, 2]) {
    await harness.lab.run({ do: 'mine', blocks: 6, milliseconds: timelock.milliseconds });
    await harness.commit(harness.gift('alice'), harness.gift('alice', 2));
    const active = harness.store.get('rules/active') as { fromHeight: number } | undefined;
    assert.equal(active?.fromHeight, crossing, `round ${round}`);
    assert.equal(harness.store.get('rules-schedule/next'), undefined);
    assert.deepEqual(validateChain(harness.store), []);
    if (round === 2) break;
    await harness.lab.run({ do: 'revert', id: 's1' });
    assert.deepEqual(everything(), before);
  }
  await harness.settle();
  assert.equal((await verifyDatabase(path, {})).fault, null);
});
