/** Nodes share their checkpoints, and keep one for as long as a slow follower reads it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { StateCheckpoint } from '@netd/protocol';
import { ChainHarness } from '@netd/testkit/chain-harness';
import { tempDir } from '@netd/testkit/temp-dir';
import { checkpointFiles, Checkpoints } from './checkpoints.ts';

interface Place {
  harness: ChainHarness;
  /** Opens the checkpoints of another node of the same chain. It is notified of every block, and of nothing else. */
  node: (name: string) => Promise<Checkpoints>;
  /** Makes so many blocks, one per second, each with another state. */
  blocks: (count: number) => Promise<void>;
}

/** A state that counts as large. */
async function openPlace(t: TestContext): Promise<Place> {
  const root = tempDir(t);
  const harness = await ChainHarness.open({ path: join(root, 'chain') });
  t.after(() => harness.close());
  let agents = 0;
  return {
    harness,
    async node(name) {
      const checkpoints = await Checkpoints.open({
        directory: join(root, name),
        store: harness.store,
        clock: harness.clock,
        files: checkpointFiles,
        smallState: 0,
        onDamage: () => assert.fail('nothing is damaged'),
      });
      harness.chain.onBlock(() => checkpoints.noteBlock());
      return checkpoints;
    },
    async blocks(count) {
      for (let i = 0; i < count; i++) await harness.commit(harness.registration(`a-${agents++}`));
    },
  };
}

async function latest(checkpoints: Checkpoints): Promise<StateCheckpoint | null> {
  await checkpoints.settle();
  return checkpoints.latest();
}

test('nodes that were started and asked at different moments of a minute make the same checkpoint', async (t) => {
  const place = await openPlace(t);
  await place.blocks(5);
  const early = await place.node('early');
  assert.equal(await early.latest(), null);
  await place.blocks(20);
  const late = await place.node('late');
  assert.equal(await late.latest(), null);
  await place.blocks(60);
  const [one, other] = [await latest(early), await latest(late)];
  assert.ok(one);
  assert.deepEqual(other, one);
  const block = place.harness.store.snapshot();
  const made = block.blockAt(one.height)?.header.timestamp ?? '';
  const before = block.blockAt(one.height - 1)?.header.timestamp ?? '';
  block.close();
  assert.match(made, /T00:01:0/);
  assert.match(before, /T00:00:59/);
});

test('makes a checkpoint of the head if no block comes', async (t) => {
  const place = await openPlace(t);
  await place.blocks(3);
  const checkpoints = await place.node('one');
  assert.equal(await checkpoints.latest(), null);
  place.harness.clock.set(place.harness.clock.now() + 61_000);
  assert.equal(await checkpoints.latest(), null);
  assert.equal((await latest(checkpoints))?.height, place.harness.chain.height);
});

test('keeps a checkpoint beside the last four while it is read, then removes it', async (t) => {
  const place = await openPlace(t);
  const checkpoints = await place.node('one');
  const next = async (reading?: StateCheckpoint): Promise<StateCheckpoint> => {
    await checkpoints.latest();
    await place.blocks(30);
    if (reading) assert.ok(await checkpoints.chunk(reading, 0));
    await place.blocks(31);
    const made = await latest(checkpoints);
    assert.ok(made);
    return made;
  };
  const [read, left] = [await next(), await next()];
  for (let i = 0; i < 5; i++) {
    await next(read);
    assert.deepEqual(checkpoints.find(read.checkpointHash), read);
  }
  assert.equal(checkpoints.find(left.checkpointHash), null);
  await place.blocks(61);
  await next();
  assert.equal(checkpoints.find(read.checkpointHash), null);
});
