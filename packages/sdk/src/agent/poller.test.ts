import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { test } from 'node:test';
import { LONGEST_PAUSE, backoff, Poller } from './poller.ts';

const LONG = 3_600_000;

test('what happens during a look is not slept over', async () => {
  const poller = new Poller(new AbortController().signal);
  const { wakes } = poller;
  // The look reads, and meanwhile something happens.
  poller.wake();
  await poller.wait(LONG, wakes);
  const waiting = poller.wait(LONG, poller.wakes);
  poller.wake();
  await waiting;
});

test('the end of the agent ends every wait, and throws out of every pause', async () => {
  const controller = new AbortController();
  const poller = new Poller(controller.signal);
  const [waiting, pausing] = [poller.wait(LONG, poller.wakes), poller.pause(LONG)];
  controller.abort(new Error('over'));
  await waiting;
  await assert.rejects(pausing, /over/);
  await poller.wait(LONG, poller.wakes);
  await assert.rejects(poller.pause(LONG), /over/);
});

test('many pauses at once are no leak to warn of', async (t) => {
  const warned: Error[] = [];
  const note = (warning: Error): unknown => warned.push(warning);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  const controller = new AbortController();
  setMaxListeners(10, controller.signal); // as Node 20 has it
  const poller = new Poller(controller.signal);
  const pauses = Array.from({ length: 50 }, () => poller.pause(LONG).catch(() => 'over'));
  await new Promise(setImmediate);
  controller.abort();
  assert.deepEqual(await Promise.all(pauses), Array<string>(50).fill('over'));
  assert.deepEqual(warned, []);
});

test('pauses grow to a bound', () => {
  assert.deepEqual([0, 1, 2, 10, 1_000].map(backoff), [
    500,
    1_000,
    2_000,
    LONGEST_PAUSE,
    LONGEST_PAUSE,
  ]);
});
