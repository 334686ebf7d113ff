/** Frames of blocks that a node executed, fetched later, or replayed are the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  addSums,
  addToDetails,
  canonicalize,
  FRAME_JOBS,
  FRAME_PARTIES,
  FRAME_SPANS,
  MAX_FRAME_BYTES,
  sumsOf,
  type ChainEvent,
  type FrameBlock,
  type FrameDetails,
  type FrameSums,
  type OrderOf,
} from '@netd/protocol';
import { dump } from '@netd/testkit/dump-store';
import { tempDir } from '@netd/testkit/temp-dir';
import { frameBlockOf, FrameWrites } from './frame-writes.ts';
import { putHistory, type BlockHistory } from './history-writes.ts';
import { Store } from './store.ts';
import { Writes } from './writes.ts';

const TYPES = [
  'AgentRegistered',
  'Transferred',
  'WorkOrderCreated',
  'WorkVoted',
  'WorkOrderPaid',
  'WorkOrderRejected',
];
const event = fc.record({
  type: fc.constantFrom(...TYPES, 'WorkOrderSplit', 'BeaconPublished'),
  transitionIndex: fc.constant(0),
  data: fc
    .tuple(fc.nat(12), fc.nat(1_000), fc.boolean())
    .map(([at, unet, isDelivered]): Record<string, unknown> => ({
      ...(isDelivered ? { workerId: `w${at}` } : {}),
      agentId: `a${at}`,
      amount: unet,
      funding: unet,
      orderId: `o${at}`,
      paid: unet,
      refund: unet,
      requesterId: `r${at}`,
      verificationFee: 1,
      verifierId: `v${at}`,
    })),
});

const blockOf = (height: number, events: ChainEvent[]): BlockHistory =>
  ({
    header: { height, timestamp: `t${height}` },
    certificate: { certificateHash: height.toString(16).padStart(64, '0') },
    transitions:
      events.length === 0 ? [] : [{ hash: height.toString(16).padStart(64, 'a'), text: '{}' }],
    events,
    transitionSubtrees: [],
    eventSubtrees: [],
  }) as unknown as BlockHistory;

const chains = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constant<ChainEvent[]>([]) },
        fc.array(event, { maxLength: 3 }),
      ),
      {
        minLength: 150,
        maxLength: 260,
      },
    ),
    fc.nat(260),
    fc.integer({ min: 1, max: 90 }),
  )
  .map(([all, begins, step]) => ({
    blocks: all.map((events, height) => blockOf(height, events)),
    begins: Math.min(begins, all.length - 1),
    step,
  }));

/** The records of the orders in `event`, most of which have been taken and judged. */
const ORDERS = Array.from({ length: 12 }, (_, at) => ({
  acceptedAt: at === 0 ? null : { height: at },
  verification: { votes: [{ vote: 'ACCEPT' }, { vote: at % 2 ? 'REJECT' : 'UNJUDGEABLE' }] },
}));
const orderOf: OrderOf = (orderId) => ORDERS[Number(orderId.slice(1))];

async function framesOf(work: (store: Store) => Promise<void>): Promise<readonly string[]> {
  const path = tempDir({ after: (end) => void ends.push(end) });
  const store = Store.open(path, { scratch: true });
  try {
    const orders = new Writes();
    for (const [at, order] of ORDERS.entries())
      orders.put(store.tables.state, `order/o${at}`, JSON.stringify(order));
    await store.writeAll(orders);
    await work(store);
    store.refresh();
    return dump(store).get('frames') ?? [];
  } finally {
    await store.close();
    for (const end of ends.splice(0)) await end();
  }
}
const ends: (() => unknown)[] = [];

async function execute(store: Store, blocks: readonly BlockHistory[]): Promise<void> {
  for (const block of blocks) {
    const writes = new Writes();
    const frames = new FrameWrites(store.tables);
    putHistory(writes, store.tables, block);
    frames.add(frameBlockOf(block));
    frames.putInto(writes);
    writes.put(store.tables.meta, 'head', String(block.header.height));
    await store.writeAll(writes);
    store.refresh();
  }
}

test('a node that fetched the blocks before a checkpoint has the frames of a node that executed all', async () => {
  await fc.assert(
    fc.asyncProperty(chains, async ({ blocks, begins, step }) => {
      const whole = await framesOf((store) => execute(store, blocks));
      const later = await framesOf(async (store) => {
        await execute(store, blocks.slice(begins));
        for (let end = begins; end > 0; end -= step) {
          const from = Math.max(0, end - step);
          const fetched = blocks.slice(from, end).toReversed();
          await store.commitHistory(fetched, { from, source: 'x' });
          // A backfill repeats a write that failed. It may have reached the disk all the same.
          await store.commitHistory(fetched, { from, source: 'x' });
          store.refresh();
        }
      });
      assert.deepEqual(later, whole);
    }),
    { numRuns: 12 },
  );
});

test('sums of a span are the sums of its parts, in any order', () => {
  const blocks = fc.array(fc.array(event, { maxLength: 4 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(blocks, (all) => {
      const given = all.map((events, height) => frameBlockOf(blockOf(height, events)));
      const totalOf = (list: readonly FrameBlock[]) =>
        list.reduce(
          (sums, block) => addSums(sums, sumsOf(block, orderOf)),
          undefined as FrameSums | undefined,
        );
      assert.deepEqual(totalOf(given.toReversed()), totalOf(given));
    }),
  );
});

test('a frame stays below its bound, and its amounts are complete', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const id = (at: number, length: number): string => String(at).padEnd(length, 'x');
  let details: FrameDetails | undefined;
  let sums: FrameSums | undefined;
  for (let at = 0; at < 40; at++) {
    const data = {
      orderId: id(at, 128),
      requesterId: id(at, 64),
      workerId: id(at, 64),
      verifierId: id(at, 64),
      paid: most,
      refund: most,
      funding: most,
      amount: most,
    };
    const events = TYPES.map((type) => ({ type, data }));
    const block = { height: most, time: '2026-01-01T00:00:00.000Z', transitions: most, events };
    [sums, details] = [
      addSums(
        sums,
        sumsOf(block, () => undefined),
      ),
      addToDetails(details, block),
    ];
  }
  assert.ok(details);
  const { jurors, jobs } = details;
  assert.equal(jurors.length, FRAME_PARTIES + 1);
  assert.equal(jobs.length, FRAME_JOBS);
  const votes = jurors.reduce((sum, { times }) => sum + times, 0);
  assert.equal(votes, 40);
  const { length } = canonicalize({ ...sums, ...details });
  assert.ok(length < MAX_FRAME_BYTES, `${length}`);
  assert.ok(length > MAX_FRAME_BYTES * 0.7, `the bound is too wide for ${length}`);
  assert.ok(FRAME_SPANS.every((span, at) => at === 0 || span > (FRAME_SPANS[at - 1] ?? 0)));
});
