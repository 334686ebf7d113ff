/** Groups of blocks for the disk, and the moments at which they are written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@netd/testkit/manual-clock';
import type { ReplayedBlock } from '../../replay/block-replay.ts';
import { MOST_UNCOMMITTED, BatchedCommit } from './batched-commit.ts';

const MOST_BLOCKS = MOST_UNCOMMITTED / 2;

const block = (height: number, transitions = 1): ReplayedBlock =>
  ({
    hash: String(height),
    write: { transitions: Array.from({ length: transitions }, () => ({ hash: '', text: '{}' })) },
  }) as unknown as ReplayedBlock;

class Disk {
  readonly clock = new ManualClock();
  readonly groups: string[] = [];
  readonly behind = new BatchedCommit(this.clock, (blocks) => {
    this.groups.push(blocks.map(({ hash }) => hash).join(' '));
    return new Promise((resolve) => (this.finish = resolve));
  });
  finish: (isWritten: boolean) => void = () => {};

  async add(height: number, isAlone = false, transitions = 1): Promise<boolean> {
    return this.behind.add(block(height, transitions), isAlone);
  }
}

test('a block after which none is known is written at once', async () => {
  const disk = new Disk();
  assert.equal(await disk.add(1, true), true);
  assert.deepEqual(disk.groups, ['1']);
});

test('others wait for each other, until they are many or long, and no longer than a moment', async () => {
  const disk = new Disk();
  for (let height = 1; height < MOST_BLOCKS; height++) await disk.add(height);
  assert.deepEqual(disk.groups, []);
  await disk.add(MOST_BLOCKS);
  assert.deepEqual(disk.groups.length, 1);
  disk.finish(true);
  await disk.behind.end();
  await disk.add(20);
  disk.clock.advance(1_000);
  assert.deepEqual(disk.groups.slice(1), ['20']);
  disk.finish(true);
  await disk.behind.end();
  await disk.add(30, false, 1_500);
  await disk.add(31, false, 1_500);
  assert.deepEqual(disk.groups.slice(2), ['30 31']);
});

test('while a group is written the next one fills, and nothing more is executed then', async () => {
  const disk = new Disk();
  await disk.add(1, true);
  let isThereRoom = false;
  const full = disk.add(2, false, 2_000).then((isWell) => (isThereRoom = isWell));
  await Promise.resolve();
  assert.deepEqual([isThereRoom, disk.groups], [false, ['1']]);
  disk.finish(true);
  await full;
  assert.deepEqual([isThereRoom, disk.groups], [true, ['1', '2']]);
});

test('does not write the blocks after a group that the disk refused', async () => {
  const disk = new Disk();
  await disk.add(1, true);
  await disk.add(2);
  disk.finish(false);
  assert.equal(await disk.behind.end(), false);
  assert.equal(disk.behind.hasRefused, true);
  assert.equal(await disk.add(3, true), false);
  assert.deepEqual(disk.groups, ['1']);
});

test('drops only the blocks whose write has not begun', async () => {
  const disk = new Disk();
  await disk.add(1, true);
  await disk.add(2);
  await disk.add(3);
  assert.equal(disk.behind.drop()?.hash, '2');
  disk.finish(true);
  assert.equal(await disk.behind.end(), true);
  assert.deepEqual(disk.groups, ['1']);
});
