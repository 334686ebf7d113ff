import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  actionsOf,
  expiryHeight,
  PRESETS,
  SESSION_ACTIONS,
  spendingOf,
  type Preset,
} from './session-presets.ts';

test('a preset of a session has only actions that sessions and this agent may have', () => {
  for (const preset of Object.keys(PRESETS) as Preset[]) {
    for (const action of PRESETS[preset].actions)
      assert.ok(SESSION_ACTIONS.includes(action), action);
  }
  assert.deepEqual(actionsOf('watch', []), [], 'the agent has lost its base actions');
  assert.deepEqual(actionsOf('earn', ['acceptWork']), ['acceptWork']);
  assert.ok(actionsOf('pay', []).includes('transfer'), 'an agent may permit it to itself');
  assert.ok(!PRESETS.earn.actions.some((action) => /transfer|create/i.test(action)));
});

test('a key that pays has a budget, and its amounts follow the rule of every form', () => {
  const of = (preset: Preset, budget: string, each = '') => spendingOf(preset, { budget, each });
  for (const nothing of ['0', '00', '0.0'])
    assert.throws(() => of('pay', nothing), /^RangeError: A key that pays needs a budget/, nothing);
  for (const preset of ['watch', 'earn', 'own'] as const)
    assert.deepEqual(of(preset, '0'), { budget: 0, maxAmount: null });
  assert.deepEqual(of('pay', '5', '0.5'), { budget: 5_000_000, maxAmount: 500_000 });
  assert.throws(() => of('pay', ' '), /^RangeError: Budget: Fill this in/);
  assert.throws(() => of('pay', '1,5'), /^RangeError: Budget: .* no commas/);
  assert.throws(() => of('pay', '5', '0'), /^RangeError: Limit per act: Enter more than 0/);
  assert.throws(
    () => of('earn', '5', '1e3'),
    /^RangeError: Limit per act: .* at most six decimals/,
  );
});

test('a session lasts at least as long as was chosen', () => {
  assert.equal(expiryHeight(100, 3_600_000, 1_000), 3_700);
  assert.equal(expiryHeight(100, 2_500, 1_000), 103);
});
