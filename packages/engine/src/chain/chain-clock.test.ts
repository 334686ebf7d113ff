import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { timestampToMs } from '@netd/protocol';
import { ChainHarness, verdictOf } from '@netd/testkit/chain-harness';
import { ManualClock } from '@netd/testkit/manual-clock';
import { tempDir } from '@netd/testkit/temp-dir';
import { validateChain } from '@netd/testkit/validate-chain';
import { ChainClock, CLOCK_BOUND_MILLISECONDS as BOUND } from './chain-clock.ts';

const HOUR = 3_600_000;
const TEN_YEARS = 10 * 365 * 24 * HOUR;

async function openChain(t: TestContext, clock = new ManualClock()): Promise<ChainHarness> {
  const harness = await ChainHarness.open({ path: join(tempDir(t), 'chain'), clock });
  t.after(() => harness.close());
  await harness.join('alice');
  return harness;
}

async function give(harness: ChainHarness): Promise<string> {
  const [result] = harness.submit(harness.gift('alice'));
  await harness.advance(100);
  assert.ok(result);
  return verdictOf(await result);
}

const blockTime = ({ chain }: ChainHarness): number => timestampToMs(chain.head.timestamp);

describe('a chain whose clock jumps', () => {
  for (const [name, jump] of [
    ['ten years ahead', TEN_YEARS],
    ['an hour ahead', HOUR],
    ['just beyond the bound', BOUND + 1],
    ['back by just more than the bound', -BOUND - 1],
    ['back by an hour', -HOUR],
    ['to 1970', -Date.parse('2026-01-01T00:00:02.000Z')],
  ] as const) {
    test(`${name}, for less than a second, makes no block of that time, says so, and goes on`, async (t) => {
      const harness = await openChain(t);
      const { clock, chain } = harness;
      const { height } = chain;
      const right = clock.now();
      clock.set(right + jump);
      assert.equal(await give(harness), 'unavailable');
      assert.equal(await give(harness), 'unavailable');
      assert.equal(chain.height, height);
      const direction = jump < 0 ? /jumped back by/ : /jumped ahead by/;
      assert.equal(harness.clockFaults.length, 1, 'said once');
      assert.match(String(harness.clockFaults[0]), direction);
      clock.set(right + 200);
      assert.equal(await give(harness), 'committed');
      assert.deepEqual(harness.clockFaults.slice(1), [null]);
      assert.ok(blockTime(harness) <= clock.now());
      assert.deepEqual(harness.failures, []);
      assert.deepEqual(validateChain(harness.store), []);
    });
  }

  test('within the bound goes on, and block time never runs back', async (t) => {
    const harness = await openChain(t);
    for (const jump of [-BOUND + 500, BOUND - 1_000, -1_000]) {
      harness.clock.set(harness.clock.now() + jump);
      const before = blockTime(harness);
      assert.equal(await give(harness), 'committed');
      assert.ok(blockTime(harness) > before);
      assert.ok(blockTime(harness) <= harness.clock.now() + BOUND);
    }
    assert.deepEqual(harness.clockFaults, []);
  });

  test('makes empty blocks again by itself', async (t) => {
    const harness = await openChain(t);
    const right = harness.clock.now();
    harness.clock.set(right + TEN_YEARS);
    const { height } = harness.chain;
    await harness.advance(30_000);
    assert.equal(harness.chain.height, height);
    harness.clock.set(right + 30_000);
    for (let i = 0; i < 3; i++) await harness.advance(10_000);
    assert.ok(harness.chain.height > height);
  });

  test('does not start if the last block is in the future, and says what to do', async (t) => {
    const path = join(tempDir(t), 'chain');
    const first = await ChainHarness.open({ path });
    await first.join('alice');
    const last = blockTime(first);
    await first.close();
    const clock = new ManualClock(last - HOUR);
    const harness = await ChainHarness.open({ path, clock });
    t.after(() => harness.close());
    assert.equal(await give(harness), 'unavailable');
    assert.match(String(harness.clockFaults), /last block is of 2026-\S+, 3600 s ahead .* set it/);
    await harness.advance(HOUR - BOUND);
    assert.equal(await give(harness), 'committed');
  });
});

describe('the clock of a chain', () => {
  const open = (): { clock: ManualClock; read: () => number | null; faults: unknown[] } => {
    const clock = new ManualClock();
    const faults: unknown[] = [];
    const chainClock = new ChainClock(clock, (fault) => faults.push(fault));
    return { clock, faults, read: () => chainClock.read(0).time };
  };

  test('says that a start is long after the last block, for a sixtieth of the gap', () => {
    const DAY = 24 * HOUR;
    for (const [gap, said] of [
      [0, false],
      [DAY, false],
      [-HOUR, false],
      [DAY + 1, true],
      [TEN_YEARS, true],
    ] as const) {
      const clock = new ManualClock();
      const chainClock = new ChainClock(clock, () => {});
      const last = clock.now() - gap;
      const sentence = chainClock.resume(last);
      assert.equal(sentence !== null, said, String(gap));
      assert.equal(chainClock.startWarning(), sentence);
      // A warning, not a refusal: a node may have been off for months.
      if (gap >= 0) assert.notEqual(chainClock.read(last).time, null);
      clock.advance(gap / 60 - 1);
      assert.equal(chainClock.startWarning() !== null, said);
      clock.advance(1);
      assert.equal(chainClock.startWarning(), null);
    }
  });

  test('believes a machine that was set right, after a minute and a sixtieth of the jump', () => {
    for (const [jump, wait] of [
      [HOUR / 2, 60_000],
      [8 * HOUR, 8 * 60_000],
      [TEN_YEARS, TEN_YEARS / 60],
    ] as const) {
      const { clock, read } = open();
      clock.set(clock.now() + jump);
      assert.equal(read(), null);
      clock.advance(wait - 1);
      assert.equal(read(), null);
      clock.advance(1);
      assert.equal(read(), clock.now());
      clock.advance(1);
      assert.equal(read(), clock.now());
    }
  });

  test('does not believe a machine whose clock goes on jumping', () => {
    const { clock, read } = open();
    for (let i = 1; i < 9; i++) {
      clock.set(clock.now() + HOUR);
      assert.equal(read(), null);
      clock.advance(59_000);
      assert.equal(read(), null);
    }
  });

  test('notices jumps that add up, each within the bound', () => {
    const { clock, read } = open();
    let jumps = 0;
    for (; jumps < 9 && read() !== null; jumps++) {
      clock.advance(100);
      clock.set(clock.now() + BOUND / 2);
    }
    assert.equal(jumps, 3);
  });

  test('follows a clock that drifts slowly for a long time', () => {
    const { clock, read } = open();
    for (let i = 0; i < 500; i++) {
      clock.advance(10_000);
      clock.set(clock.now() + 100);
      assert.equal(read(), clock.now());
    }
  });

  test('takes nothing for a jump that a pause of the process explains', () => {
    const clock = new ManualClock();
    let pause = 0;
    const pausing = Object.assign(Object.create(clock) as ManualClock, {
      elapsed: () => clock.elapsed(),
      elapsedWithSleep: () => {
        const passed = clock.elapsedWithSleep();
        clock.advance(pause);
        return passed;
      },
      now: () => clock.now(),
    });
    const chainClock = new ChainClock(pausing, () => {});
    pause = HOUR;
    for (let i = 0; i < 5; i++) assert.notEqual(chainClock.read(0).time, null);
  });
});
