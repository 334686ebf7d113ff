/** Block production of a laboratory: in each mode, on demand, and after failures. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  ChainHarness,
  HARNESS_GENESIS,
  verdictOf,
  type HarnessOptions,
} from '@netd/testkit/chain-harness';
import { ManualClock } from '@netd/testkit/manual-clock';
import { tempDir } from '@netd/testkit/temp-dir';
import { validateChain } from '@netd/testkit/validate-chain';
import { LabClock } from '../../chain/lab-clock.ts';
import { LabTimer } from './lab-timer.ts';

async function openLab(
  t: TestContext,
  options: Partial<HarnessOptions> = {},
): Promise<ChainHarness> {
  const path = join(tempDir(t), 'chain');
  const genesis = { ...HARNESS_GENESIS, laboratory: true } as const;
  const harness = await ChainHarness.open({ path, genesis, ...options });
  t.after(() => harness.close());
  return harness;
}

const mine = (blocks: number, milliseconds = 0) => ({ do: 'mine', blocks, milliseconds }) as const;

test('automatic: as on every chain', async (t) => {
  const harness = await openLab(t);
  await harness.settle();
  const height = harness.chain.height;
  await harness.advance(10_000);
  assert.equal(harness.chain.height, height + 1);
  const [receipt, other] = await harness.commit(
    harness.registration('alice'),
    harness.registration('bob'),
  );
  assert.equal(receipt?.height, other?.height);
});

test('each: a block for each of those that come at once, and no empty ones', async (t) => {
  const harness = await openLab(t);
  await harness.lab.run({ do: 'mode', mode: 'each' });
  await harness.settle();
  const { height } = harness.chain;
  const names = ['alice', 'bob', 'carol'];
  const results = harness.submit(...names.map((name) => harness.registration(name)));
  await Promise.all(results);
  assert.equal(harness.chain.height, height + 3);
  await harness.advance(60_000);
  assert.equal(harness.chain.height, height + 3);
});

test('none: makes blocks only by mining, with all pending envelopes in the first', async (t) => {
  const harness = await openLab(t);
  await harness.settle();
  await harness.lab.run({ do: 'mode', mode: 'none' });
  const { height } = harness.chain;
  const results = harness.submit(harness.registration('alice'), harness.registration('bob'));
  await harness.advance(60_000);
  assert.equal(harness.chain.height, height);
  await harness.lab.run(mine(2));
  assert.deepEqual((await Promise.all(results)).map(verdictOf), ['committed', 'committed']);
  assert.equal(harness.chain.height, height + 2);
  await harness.lab.run({ do: 'mode', mode: 'automatic' });
  await harness.advance(10_000);
  assert.equal(harness.chain.height, height + 3);
});

test('blocks on the way lie at equal distances, and all of the way is gone', async (t) => {
  const harness = await openLab(t);
  await harness.settle();
  await harness.lab.run({ do: 'mode', mode: 'none' });
  const { height } = harness.chain;
  const start = harness.lab.now();
  await harness.lab.run(mine(3, 1_000));
  const snapshot = harness.store.snapshot();
  const times = [1, 2, 3].map(
    (at) => Date.parse(snapshot.blockAt(height + at)!.header.timestamp) - start,
  );
  snapshot.close();
  assert.deepEqual(times, [333, 666, 1_000]);
  assert.equal(harness.lab.now() - start, 1_000);
  assert.deepEqual(harness.clockFaults, []);
  assert.deepEqual(validateChain(harness.store), []);
});

test('time moves by the whole span after blocks that outran the clock', async (t) => {
  const harness = await openLab(t);
  await harness.settle();
  await harness.lab.run({ do: 'mode', mode: 'none' });
  const time = (): number => Date.parse(harness.chain.head.timestamp);
  // The clock of the harness stands still.
  await harness.lab.run(mine(50));
  const before = time();
  assert.equal(harness.lab.now(), before);
  await harness.lab.run(mine(1, 3_000));
  assert.equal(time() - before, 3_000);
  assert.deepEqual(harness.clockFaults, []);
});

test('the clock keeps up with blocks that were not mined by command', async (t) => {
  const harness = await openLab(t);
  await harness.settle();
  await harness.lab.run({ do: 'mode', mode: 'each' });
  await Promise.all(
    harness.submit(...['alice', 'bob', 'carol'].map((name) => harness.registration(name))),
  );
  assert.equal(harness.lab.now(), Date.parse(harness.chain.head.timestamp));
});

test('two that ask at once both get what they asked for', async (t) => {
  const harness = await openLab(t);
  await harness.settle();
  await harness.lab.run({ do: 'mode', mode: 'none' });
  const { height } = harness.chain;
  await Promise.all([harness.lab.run(mine(2)), harness.lab.run(mine(3))]);
  assert.equal(harness.chain.height, height + 5);
});

test('reports a refusal of the disk to the caller, and mines again later', async (t) => {
  let full = false;
  const harness = await openLab(t, {
    at: (name) => {
      if (full && name === 'block.writing') throw new Error('ENOSPC');
    },
  });
  await harness.settle();
  await harness.lab.run({ do: 'mode', mode: 'none' });
  full = true;
  await assert.rejects(harness.lab.run(mine(2)), /the disk refused a block/);
  full = false;
  const { height } = harness.chain;
  await harness.lab.run(mine(1));
  assert.equal(harness.chain.height, height + 1);
});

test('what is due by itself and fails is not tried again at once', async () => {
  const clock = new ManualClock();
  const times = { blockTime: 100, idleBlockTime: 10_000 };
  const timer = new LabTimer(new LabClock(0, clock), times, () => true, {
    keep: () => 0,
    back: async () => {},
  });
  await timer.run({ do: 'mode', mode: 'each' });
  await timer.untilDue();
  timer.blockFailed(new Error('the disk is full'));
  let isDue = false;
  const due = timer.untilDue().then(() => (isDue = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isDue, false);
  clock.advance(times.blockTime);
  await due;
});

test('a clock of the machine that is not believed is reported too', async (t) => {
  const harness = await openLab(t);
  await harness.settle();
  await harness.lab.run({ do: 'mode', mode: 'each' });
  const before = harness.clock.now();
  harness.clock.set(before - 3_600_000);
  await assert.rejects(harness.lab.run(mine(1)), /the clock of this machine jumped back/);
  const results = harness.submit(harness.registration('alice'));
  await harness.advance(100);
  assert.deepEqual((await Promise.all(results)).map(verdictOf), ['unavailable']);
  harness.clock.set(before + 100);
  await harness.lab.run(mine(1));
});

test('leaves no request pending when the node stops', async (t) => {
  const path = join(tempDir(t), 'chain');
  const genesis = { ...HARNESS_GENESIS, laboratory: true } as const;
  const harness = await ChainHarness.open({ path, genesis });
  await harness.settle();
  const { lab } = harness;
  const asked = lab.run(mine(1_000));
  const refused = assert.rejects(asked, /the node stops/);
  await harness.close();
  await refused;
  await assert.rejects(lab.run(mine(1)), /the node stops/);
});
