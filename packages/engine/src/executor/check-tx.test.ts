/** Checking one envelope costs one transition, even if much work is due in the next block. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { StateReader } from '@netd/ledger';
import { ChainHarness } from '@netd/testkit/chain-harness';
import { tempDir } from '@netd/testkit/temp-dir';
import { BlockExecutor } from './block-executor.ts';

const KIND = 'timeOutWorkDelivery';
const QUEUE = `${KIND}:TIME`;

/** A state with so many due timers, which counts its reads. */
class CountedState implements StateReader {
  reads = 0;
  private readonly base: StateReader;
  private readonly timers: ReadonlyMap<string, object>;

  constructor(base: StateReader, timers: number) {
    this.base = base;
    // Their time has come but not their height, so each moves to the queue of heights.
    const record = { kind: KIND, awaits: 'TIME', deadline: { height: 1_000_000, time: 1 } };
    this.timers = new Map(
      Array.from({ length: timers }, (_, index) => [
        `timer/${KIND}/order-${index}`,
        { ...record, subject: `order-${index}` },
      ]),
    );
  }

  get(key: string): unknown {
    this.reads++;
    return this.timers.get(key) ?? this.base.get(key);
  }

  due(queue: string, upTo: number, limit: number): string[] {
    this.reads++;
    if (queue === QUEUE) return [...this.timers.keys()].slice(0, limit);
    return this.base.due(queue, upTo, limit);
  }

  spentNonceExpiry(nonceHash: string): number | undefined {
    this.reads++;
    return this.base.spentNonceExpiry(nonceHash);
  }
}

test('with 10,000 timers due, CheckTx reads what it reads with none', async (t) => {
  const harness = await ChainHarness.open({ path: join(tempDir(t), 'chain') });
  t.after(() => harness.close());
  await harness.join('alice');
  const { store, chain, executor } = harness;
  const gift = harness.gift('alice', 1);
  const readsOf = (timers: number, work: (executor: BlockExecutor) => void): number => {
    const state = new CountedState(store, timers);
    const { identity, head } = chain;
    work(new BlockExecutor({ identity, store: state, tree: executor.tree, head }));
    return state.reads;
  };
  const now = harness.clock.now();
  const check = (it: BlockExecutor): void => assert.ok(it.checkTx(gift, now).ok);
  const idle = readsOf(0, check);
  assert.equal(readsOf(10_000, check), idle);
  assert.ok(idle < 30, `${idle} reads for one transfer`);
  // A block that opens there does process them.
  const openings = readsOf(10_000, (it) => void it.open(it.newest, now));
  assert.ok(openings > 192, `${openings} reads`);
});
