import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeSubmission, type Submission } from '@netd/ledger';
import { Mempool, type MempoolLimits, type Reservation, type SubmissionResult } from './mempool.ts';

const EVERYTHING = { count: 100, bytes: 1_000_000 };

const named = (name: string): Submission => makeSubmission('intent', { nonce: name });

const namesOf = (mempool: Mempool, limits = EVERYTHING): unknown[] =>
  mempool.take(limits).map(({ submission }) => submission.envelope['nonce']);

function open(limits: MempoolLimits = { total: 100, perAddress: 100 }): {
  mempool: Mempool;
  readiness: number[];
  reservation: (address?: string, bytes?: number) => Reservation;
} {
  const mempool = new Mempool(limits);
  const readiness: number[] = [];
  mempool.onReady = () => readiness.push(mempool.readyCount);
  const reservation = (address = 'one', bytes = 1): Reservation => {
    const found = mempool.reserve(address, bytes);
    assert.ok(found, 'there is a reservation');
    return found;
  };
  return { mempool, readiness, reservation };
}

describe('reservations', () => {
  test('are bounded in total and by address, and come back', () => {
    const { mempool, reservation } = open({ total: 3, perAddress: 2 });
    const first = reservation('one');
    reservation('one');
    assert.equal(mempool.reserve('one', 1), null);
    reservation('two');
    assert.equal(mempool.reserve('two', 1), null);
    assert.equal(mempool.reserve('three', 1), null);
    assert.equal(mempool.reservedCount, 3);
    first.release();
    assert.equal(mempool.reservedCount, 2);
    reservation('one');
    assert.equal(mempool.reserve('three', 1), null);
  });

  test('are more than one for a large envelope', () => {
    const { mempool, reservation } = open({ total: 8, perAddress: 5 });
    const large = reservation('one', 65_536);
    reservation('one', 16_384);
    assert.equal(mempool.reserve('one', 1), null);
    assert.equal(mempool.reserve('two', 65_536), null);
    reservation('two', 32_769);
    assert.equal(mempool.reserve('three', 1), null);
    assert.equal(mempool.reservedCount, 3);
    large.release();
    reservation('one', 65_536);
  });

  test('count until the answer, not only until a block takes the envelope', () => {
    const { mempool, reservation } = open({ total: 1, perAddress: 1 });
    const only = reservation();
    void only.submit(named('a'));
    assert.deepEqual(namesOf(mempool), ['a']);
    assert.equal(mempool.reserve('two', 1), null);
    only.release();
    assert.ok(mempool.reserve('two', 1));
  });
});

describe('waiting for arrivals', () => {
  test('ends when all earlier reservations are ready or released, despite later ones', async () => {
    const { mempool, reservation } = open();
    assert.equal(mempool.arriving(), null);
    const [first, second, third] = [reservation(), reservation(), reservation()];
    const heard: string[] = [];
    const listen = (name: string): void => {
      void mempool.arriving()?.then(() => heard.push(name));
    };
    listen('three');
    const late = reservation();
    listen('four');
    third.release();
    void second.submit(named('2'));
    await Promise.resolve();
    assert.deepEqual(heard, [], 'the first is not ready');
    void first.submit(named('1'));
    await Promise.resolve();
    assert.deepEqual(heard, ['three']);
    late.release();
    await Promise.resolve();
    assert.deepEqual(heard, ['three', 'four']);
    assert.equal(mempool.arriving(), null);
    assert.deepEqual(namesOf(mempool), ['1', '2']);
  });
});

describe('the order', () => {
  test('is that of arrival, in whatever order envelopes become ready', () => {
    const { mempool, readiness, reservation } = open();
    const [first, second, third] = [reservation(), reservation(), reservation()];
    void third.submit(named('3'));
    void second.submit(named('2'));
    assert.equal(mempool.readyCount, 0);
    assert.deepEqual(readiness, []);
    void first.submit(named('1'));
    assert.deepEqual(readiness, [3]);
    assert.deepEqual(namesOf(mempool), ['1', '2', '3']);
  });

  test('is not held up by a reservation that is released early', () => {
    const { mempool, readiness, reservation } = open();
    const [first, second, third] = [reservation(), reservation(), reservation()];
    void second.submit(named('2'));
    void third.submit(named('3'));
    first.release();
    assert.deepEqual(readiness, [2]);
    assert.deepEqual(namesOf(mempool), ['2', '3']);
    second.release();
    third.release();
    assert.equal(mempool.reservedCount, 0);
    assert.deepEqual(readiness, [2], 'who has been answered changes nothing');
  });
});

describe('a batch', () => {
  test('takes the oldest, up to a count and a number of bytes', () => {
    const { mempool, reservation } = open();
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) void reservation().submit(named(name));
    const bytes = named('a').encoded.text.length;
    assert.deepEqual(namesOf(mempool, { count: 2, bytes: 1_000 }), ['a', 'b']);
    assert.deepEqual(namesOf(mempool, { count: 9, bytes: 2 * bytes }), ['c', 'd']);
    assert.deepEqual(namesOf(mempool, { count: 9, bytes: bytes - 1 }), []);
    assert.deepEqual(namesOf(mempool), ['e']);
  });

  test('is settled one by one, and each sender hears of its own', async () => {
    const { mempool, reservation } = open();
    const answers = [reservation().submit(named('a')), mempool.submit(named('b'))];
    const [a, b] = mempool.take(EVERYTHING);
    b?.settle({ status: 'unavailable' });
    a?.settle({ status: 'failed', error: 'a bug' });
    assert.deepEqual(await Promise.all(answers), [
      { status: 'failed', error: 'a bug' },
      { status: 'unavailable' },
    ] satisfies SubmissionResult[]);
  });
});

test('after closing, what is ready is still taken, and nothing else becomes ready', async () => {
  const { mempool, readiness, reservation } = open();
  const [first, late] = [reservation(), reservation()];
  void first.submit(named('a'));
  mempool.close();
  assert.deepEqual(await late.submit(named('b')), { status: 'unavailable', cause: 'stopping' });
  assert.deepEqual(await mempool.submit(named('c')), { status: 'unavailable', cause: 'stopping' });
  assert.deepEqual(namesOf(mempool), ['a']);
  assert.deepEqual(readiness, [1]);
});
