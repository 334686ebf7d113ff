import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainTime, isCorrected, now, sawHead } from './clock.ts';

const DAY = 86_400_000;

test('a clock that is a day off is corrected by new blocks, and old blocks prove nothing', (t) => {
  const began = Date.parse('2026-01-02T00:00:00.000Z');
  t.mock.timers.enable({ apis: ['Date'], now: began });
  const block = (height: number, time: number): void =>
    sawHead({ height, timestamp: new Date(time).toISOString() });
  const isAt = (time: number, why: string): void =>
    assert.ok(Math.abs(now() - time) <= 10_000, `${why}: ${new Date(now()).toISOString()}`);

  block(5, began - 3 * DAY);
  isAt(began, 'the chain may be idle');
  t.mock.timers.tick(5_000);
  block(6, began + 3_000);
  isAt(began + 5_000, 'a right clock stays');
  assert.equal(isCorrected(), false);
  t.mock.timers.tick(5_000);
  block(7, began + 9_000 - DAY);
  isAt(began + 10_000 - DAY, 'the clock is a day fast');
  assert.equal(isCorrected(), true);
  t.mock.timers.tick(5_000);
  block(7, began + 9_000 - DAY);
  isAt(began + 15_000 - DAY, 'no block is no news');
  assert.equal(chainTime(Date.now()), now());
  t.mock.timers.tick(5_000);
  block(8, began + 19_000);
  isAt(began + 20_000, 'the clock was set');
  block(9, began + 20_000 + DAY);
  isAt(began + 20_000 + DAY, 'the clock is a day slow: no block is from the future');
  block(3, began);
  isAt(began + 20_000, 'another chain');
});
