import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VerificationQueue, type Drawn } from './verification-queue.ts';
import type { SearchScope } from './verdict.ts';

const drawn = (orderId: string, requesterId: string, isCheap = false): Drawn => ({
  orderId,
  requesterId,
  isCheap,
  deadline: Date.now() + 600_000,
});

/** Orders named "hangs…" get no answer except from the house's stores. */
function queueOf(t: { after: (end: () => void) => void }) {
  const end = new AbortController();
  t.after(() => end.abort());
  const asked: string[] = [];
  const settled = new Map<string, () => void>();
  const judge = (orderId: string, { everywhere }: SearchScope): Promise<boolean> => {
    asked.push(`${orderId}${everywhere ? ' everywhere' : ''}`);
    settled.get(orderId)?.();
    if (orderId.startsWith('hangs') && everywhere) return new Promise(() => {});
    return Promise.resolve(
      !orderId.startsWith('hangs') && (everywhere || !orderId.includes('far')),
    );
  };
  const failed = (): void => {};
  const queue = new VerificationQueue({ judge, failed, signal: end.signal });
  const until = (orderId: string, everywhere: boolean): Promise<void> =>
    new Promise((resolve) => {
      settled.set(orderId, () => {
        if (asked.includes(`${orderId}${everywhere ? ' everywhere' : ''}`)) resolve();
      });
    });
  return { queue, asked, until };
}

test('origins that never answer delay only the orders of the requester that named them', async (t) => {
  const { queue, asked, until } = queueOf(t);
  const near = until('near', false);
  const far = until('far', true);
  for (let i = 0; i < 600; i++) queue.add(drawn(`hangs-${i}`, 'mallory'));
  queue.add(drawn('near', 'ada'));
  queue.add(drawn('far', 'bob'));
  await Promise.all([near, far]);
  const hanging = asked.filter((one) => one.startsWith('hangs') && one.endsWith('everywhere'));
  assert.equal(hanging.length, 1, 'one of a requester at a time');
  assert.ok(asked.indexOf('near') < 6, 'its turn came before the 600');
});

test('orders that pay less than the minimum are judged when no other waits', async (t) => {
  const { queue, asked, until } = queueOf(t);
  const last = until('cheap', false);
  for (const busy of ['busy-1', 'busy-2']) queue.add(drawn(busy, busy));
  queue.add(drawn('cheap', 'mallory', true));
  for (let i = 0; i < 5; i++) queue.add(drawn(`full-${i}`, 'ada'));
  await last;
  assert.equal(asked.at(-1), 'cheap');
});

test('an order without a verdict is looked at everywhere, and then again after a pause', async (t) => {
  const looks: SearchScope[] = [];
  const end = new AbortController();
  t.after(() => end.abort());
  await new Promise<void>((resolve) => {
    const judge = (_: string, look: SearchScope): Promise<boolean> => {
      looks.push(look);
      if (looks.length === 2) throw new Error('the node does not answer');
      if (looks.length === 3) resolve();
      return Promise.resolve(looks.length === 3);
    };
    const queue = new VerificationQueue({ judge, failed: () => {}, signal: end.signal });
    queue.add(drawn('order', 'ada'));
    queue.add(drawn('order', 'ada'));
  });
  assert.deepEqual(
    looks.map(({ everywhere, isAbsenceFinal }) => [everywhere, isAbsenceFinal]),
    [
      [false, false],
      [true, false],
      [true, false],
    ],
  );
});
