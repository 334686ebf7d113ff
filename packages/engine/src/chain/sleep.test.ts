import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { ManualClock } from '@netd/testkit/manual-clock';
import { abortOf, sleep } from './sleep.ts';

test('a sleep ends with its time or with its signal, and leaves nothing behind', async () => {
  const clock = new ManualClock();
  const end = new AbortController();
  const over = sleep(clock, 100, end.signal);
  assert.equal(getEventListeners(end.signal, 'abort').length, 1);
  clock.advance(100);
  await over;
  assert.equal(getEventListeners(end.signal, 'abort').length, 0);
  const cut = sleep(clock, 100, end.signal);
  end.abort();
  await cut;
  await sleep(clock, 100, end.signal);
});

test('the abort of a signal ends a race with its reason, before it and after it', async () => {
  const end = new AbortController();
  const race = Promise.race([new Promise(() => {}), abortOf(end.signal)]);
  end.abort(new Error('stopped'));
  await assert.rejects(race, /stopped/);
  await assert.rejects(abortOf(end.signal), /stopped/);
});
