import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fewestToStop, powerByDomain } from './voting-power.ts';

test('it takes as many as hold more power together than may be missing', () => {
  assert.equal(fewestToStop([1], 0), 1);
  assert.equal(fewestToStop([1, 1, 1, 1], 1), 2);
  // Four validators, and one can stop them.
  assert.equal(fewestToStop([1, 34, 33, 32], 33), 1);
  assert.equal(fewestToStop([1, 30, 30, 39], 39), 2);
  assert.equal(fewestToStop([10, 10, 10, 10, 10, 10, 10], 23), 3);
});

test('validators that fail together are added up', () => {
  const validators = [
    { faultDomain: 'a', votingPower: 2 },
    { faultDomain: 'b', votingPower: 3 },
    { faultDomain: 'a', votingPower: 4 },
  ];
  assert.deepEqual(powerByDomain(validators), [6, 3]);
});
