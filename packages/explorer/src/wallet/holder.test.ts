import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldNow, hold, lock, type Holder } from './holder.ts';

const KEYS = {} as Holder;

test('locks after ten minutes without input, and late input does not reopen it', (t) => {
  const page = new EventTarget();
  const browser = {
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    document: new EventTarget(),
  };
  Object.assign(globalThis, browser);
  t.after(() => Object.keys(browser).forEach((name) => Reflect.deleteProperty(globalThis, name)));
  t.mock.timers.enable({ apis: ['Date', 'setInterval'], now: Date.UTC(2026, 0, 2) });
  const input = (): boolean => page.dispatchEvent(new Event('keydown'));

  hold(KEYS);
  t.mock.timers.tick(9 * 60_000);
  input();
  t.mock.timers.tick(9 * 60_000);
  assert.equal(heldNow(), KEYS);
  t.mock.timers.tick(60_000);
  assert.equal(heldNow(), null);

  hold(KEYS);
  // While a machine sleeps, its timers stop, but its clock does not.
  t.mock.timers.setTime(Date.now() + 60 * 60_000);
  input();
  assert.equal(heldNow(), null);

  hold(KEYS);
  // The time without input is unknown then.
  t.mock.timers.setTime(Date.now() - 24 * 60 * 60_000);
  input();
  assert.equal(heldNow(), null);

  hold(KEYS);
  page.dispatchEvent(new Event('pagehide'));
  assert.equal(heldNow(), null);
  lock();
});
