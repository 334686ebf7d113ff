import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesToSign, zeroBits } from '@netd/protocol';
import { workedNonce } from './name-work.ts';

test('a proof of work lets other tasks run, and keeps the fresh nonce', async (t) => {
  const unsigned = { actorId: 'ada', nonce: 'fresh', publicKey: '"fresher"' };
  // However fast the machine is, a slice ends after 15 of these readings.
  let now = 0;
  t.mock.method(performance, 'now', () => now++);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const nonce = await workedNonce(unsigned, 15);
  clearInterval(timer);
  assert.ok(zeroBits(bytesToSign({ ...unsigned, nonce })) >= 15);
  // 22710 attempts, with 355 readings of the clock.
  assert.equal(nonce, 'fresh-00000hit');
  assert.ok(ticks > 0);
  assert.equal(zeroBits(new TextEncoder().encode('abc')), 0);
});

test('a proof of work reports its attempts, and stops on request', async () => {
  const stop = new AbortController();
  const seen: number[] = [];
  const progress = (tried: number): void => {
    seen.push(tried);
    if (seen.length === 2) stop.abort(new Error('enough'));
  };
  await assert.rejects(
    workedNonce({ nonce: 'n' }, 257, { signal: stop.signal, progress }),
    /enough/,
  );
  const [first = 0, second = 0, ...more] = seen;
  assert.ok(first > 0 && second > first && more.length === 0);
});
