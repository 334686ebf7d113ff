import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  actionsOf,
  expiryHeight,
  PRESETS,
  SESSION_ACTIONS,
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

test('a session lasts at least as long as was chosen', () => {
  assert.equal(expiryHeight(100, 3_600_000, 1_000), 3_700);
  assert.equal(expiryHeight(100, 2_500, 1_000), 103);
});
