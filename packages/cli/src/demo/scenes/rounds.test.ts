import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from './rounds.ts';

test('rounds vary in titles, messages, outcomes and newcomers, and rarely end in a dispute', () => {
  const plans = Array.from({ length: 24 }, (_, turn) => planOf(turn));
  assert.deepEqual([plans[0]?.ending, plans[0]?.newcomer], ['disputed', null]);
  const disputed = plans.filter(({ ending }) => ending === 'disputed');
  // Three workers share the disputes, and each worker has far more paid jobs.
  assert.equal(disputed.length, 3);
  assert.equal(new Set(disputed.map(({ shift }) => shift % 3)).size, 3);
  assert.ok(plans.some(({ ending }) => ending === 'cancelled'));
  assert.equal(new Set(plans.flatMap(({ newcomer }) => newcomer?.name ?? [])).size, 5);
  assert.ok(new Set(plans.map(({ titles }) => titles.join())).size >= 20);
  assert.ok(new Set(plans.map(({ talk }) => talk.join())).size >= 7);
  for (const [turn, { titles, talk }] of plans.entries()) {
    assert.notDeepEqual(talk, plans[turn + 1]?.talk);
    assert.equal(new Set([...titles, ...(plans[turn + 1]?.titles ?? [])]).size, turn < 23 ? 8 : 4);
  }
});
