import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MONEY_CLASSES } from '../words/choices.ts';
import type { Classes } from '../words/money.ts';

Object.assign(globalThis, {
  document: { baseURI: 'http://127.0.0.1:8420/', querySelector: () => null },
});
const { moneyPast } = await import('./money-past.ts');
Reflect.deleteProperty(globalThis, 'document');

const classes = Object.fromEntries(MONEY_CLASSES.map((name) => [name, 5])) as unknown as Classes;

test('is whole only if it reaches the genesis and its amounts', () => {
  const past = (genesis: Classes, before: string | null): boolean | undefined =>
    moneyPast(
      [{ start: { now: { height: 1, classes }, disputeBond: 1, genesis }, events: [], before }],
      new Map(),
    )?.isWhole;
  assert.equal(past(classes, null), true);
  assert.equal(past(classes, '1.0'), false);
  assert.equal(past({ ...classes, faucet: 6 }, null), false);
  assert.equal(moneyPast([], new Map()), null);
});
