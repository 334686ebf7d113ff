import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLeft } from './time-left.ts';

test('how long something takes is said as coarsely as it is known, and not before', () => {
  const unknown = 'how long it takes is not known yet';
  assert.equal(timeLeft(0, 100, 60_000), unknown, 'nothing is done');
  assert.equal(timeLeft(50, 50, 100), unknown, 'too soon');
  assert.equal(timeLeft(1, 1_000, 60_000), unknown, 'too little');
  assert.equal(timeLeft(100, 0, 60_000), '', 'it is done');
  assert.equal(timeLeft(50, 50, 4_000), 'about 5 s left');
  assert.equal(timeLeft(50, 50, 41_000), 'about 40 s left');
  assert.equal(timeLeft(10, 90, 60_000), 'about 9 min left');
  assert.equal(timeLeft(10, 990, 60_000), 'about 1.7 h left');
});
