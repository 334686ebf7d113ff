/** Readers that catch up, measured in turns of the event loop instead of time. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { beaconOf } from '@netd/ledger/testing';
import { Snapshot } from '@netd/engine';
import { EventStream } from '@netd/testkit/event-stream';
import { HttpNode } from '@netd/testkit/http-node';
import { CatchUp } from './catch-up.ts';

const LIMITS = { catchUpPagesPerTurn: 3 };

/** Counts what happens in each turn of the event loop until `isOver`. */
async function countByTurn(isOver: () => boolean, count: () => number): Promise<number[]> {
  const turns: number[] = [];
  let before = count();
  while (!isOver()) {
    await new Promise((resolve) => setImmediate(resolve));
    turns.push(count() - before);
    before = count();
  }
  return turns;
}

/** Creates readers with this many pages each, and records the order in which they read. */
function readers(count: number, pages: number): { read: number[]; add: (to: CatchUp) => void } {
  const read: number[] = [];
  const add = (to: CatchUp): void => {
    for (let reader = 0; reader < count; reader++) {
      let left = pages;
      to.add(() => {
        read.push(reader);
        return --left > 0 ? 'more' : 'done';
      });
    }
  };
  return { read, add };
}

test('a turn of the event loop reads a few pages, however many readers there are', async () => {
  const { read, add } = readers(50, 5);
  add(new CatchUp(LIMITS));
  const turns = await countByTurn(
    () => read.length === 250,
    () => read.length,
  );
  assert.equal(Math.max(...turns), 3);
});

test('readers take turns, and a reader that is nearly there does not wait for those far behind', async () => {
  const queue = new CatchUp(LIMITS);
  const far = readers(10, 5);
  const near = readers(1, 1);
  far.add(queue);
  near.add(queue);
  await countByTurn(
    () => near.read.length === 1,
    () => near.read.length,
  );
  assert.ok(far.read.length < 15, 'no reader had a second turn before each had one');
  await countByTurn(
    () => far.read.length === 50,
    () => far.read.length,
  );
  const round = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  assert.deepEqual(far.read, [...round, ...round, ...round, ...round, ...round]);
});

test('a reader whose connection is full goes on after it comes back', async () => {
  const queue = new CatchUp(LIMITS);
  const read: string[] = [];
  queue.add(() => {
    read.push('full');
    return 'done';
  });
  queue.add(() => {
    read.push('other');
    if (read.length === 3) queue.add(() => (read.push('back'), 'done'));
    return read.length < 6 ? 'more' : 'done';
  });
  await countByTurn(
    () => read.length === 6,
    () => read.length,
  );
  assert.deepEqual(read, ['full', 'other', 'other', 'back', 'other', 'other']);
});

test('streams of a node catch up a page a turn, and every one gets every event', async (t) => {
  const node = await HttpNode.start({ limits: { catchUpPage: 2, catchUpPagesPerTurn: 1 } });
  t.after(() => node.stop());
  await node.join('alice');
  for (let sequence = 1; sequence <= 9; sequence++) {
    await node.act('alice', 'publishBeacon', beaconOf('alice', node.height, { sequence }));
  }
  const { mock: reads } = mock.method(Snapshot.prototype, 'eventsAfter');
  t.after(() => mock.restoreAll());
  const streams: EventStream[] = [];
  const opening = Promise.all(
    Array.from({ length: 16 }, async () => {
      streams.push(await EventStream.open(node.url, '/v1/events?after=0.0'));
    }),
  );
  const turns = await countByTurn(
    // Five full pages and an empty one each.
    () => reads.callCount() === 16 * 6,
    () => reads.callCount(),
  );
  assert.equal(Math.max(...turns), 1);
  await opening;
  const all = streams[0]?.events.map(({ id }) => id);
  for (const stream of streams) {
    await stream.until(({ events }) => events.length === 10);
    assert.deepEqual(
      stream.events.map(({ id }) => id),
      all,
    );
  }
  for (const stream of streams) await stream.close();
});
