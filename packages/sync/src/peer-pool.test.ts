/** The faults and addresses of origins that a pool reports. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@netd/testkit/manual-clock';
import { PeerPool } from './peer-pool.ts';
import { Origin } from './origin.ts';
import type { Transport } from './transport.ts';

const SILENT =
  'an origin has not answered for more than a minute, and is tried again: no node answers at http://two';

/** Two origins; those in `away` do not answer. */
function twoOrigins(): {
  away: Set<string>;
  clock: ManualClock;
  origins: PeerPool;
  ask: (seconds: number) => Promise<string[]>;
} {
  const away = new Set<string>();
  const transport: Transport = {
    async ask(url) {
      if (away.has(new URL(url).host)) throw new Error('connection refused');
      const text = JSON.stringify({ height: 1, blockHash: 'ab'.repeat(32) });
      return {
        status: 200,
        ok: true,
        headers: new Headers(),
        body: (async function* () {
          yield Buffer.from(text);
        })(),
      };
    },
  };
  const clock = new ManualClock();
  const origins = new PeerPool(
    ['http://one', 'http://two'].map((url) => new Origin(url, 1_000, transport)),
    clock,
    () => assert.fail('nobody lies'),
  );
  /** Polls every second, like a follower, so many times. */
  const ask = async (seconds: number): Promise<string[]> => {
    for (let i = 0; i < seconds; i++) {
      clock.advance(1_000);
      await origins.refresh(AbortSignal.timeout(10_000));
      await new Promise(setImmediate);
    }
    return origins.faults();
  };
  return { away, clock, origins, ask };
}

test('an origin that is silent for a minute is named though another answers, until it answers again', async () => {
  const { away, ask } = twoOrigins();
  assert.deepEqual(await ask(2), []);
  away.add('two');
  assert.deepEqual(await ask(60), []);
  assert.deepEqual(await ask(2), [SILENT]);
  assert.deepEqual(await ask(600), [SILENT]);
  away.clear();
  assert.deepEqual(await ask(31), []);
  away.add('two');
  assert.deepEqual(await ask(40), []);
  away.add('one');
  assert.match(String(await ask(5)), /^no origin answers: .*2 are tried again; .*one; .*two/);
});

test('lists an origin that failed after the others, even if it may be retried', async () => {
  const { away, clock, origins, ask } = twoOrigins();
  assert.deepEqual(origins.reachable, ['http://one', 'http://two']);
  away.add('one');
  await ask(1);
  assert.deepEqual(origins.reachable, ['http://two'], 'it rests');
  clock.advance(31_000);
  assert.deepEqual(origins.reachable, ['http://two', 'http://one']);
});
