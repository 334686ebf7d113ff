import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, timeLeft } from './times.ts';

const head = { height: 100, timestamp: '2026-01-01T00:00:00.000Z' };
const now = Date.parse(head.timestamp);
const at = (height: number, seconds: number): { height: number; time: string } => ({
  height,
  time: new Date(now + seconds * 1_000).toISOString(),
});

test('what is left names both clocks that have to get there', () => {
  assert.equal(timeLeft(at(150, 90), head, now), '1 min and 50 blocks');
  assert.equal(timeLeft(at(101, 59.9), head, now), '59 s and 1 block');
  assert.equal(timeLeft(at(100, 5), head, now), '5 s');
  assert.equal(timeLeft(at(102, 0), head, now), '2 blocks');
  assert.equal(timeLeft(at(99, -1), head, now), 'over');
  assert.equal(timeLeft(null, head, now), '');
});

test('an idle chain has an old head, and no more time for it', () => {
  assert.equal(timeLeft(at(100, 12), head, now + 9_000), '3 s');
  assert.equal(timeLeft(at(100, 12), head, now + 12_000), 'over');
  // A slow local clock does not change the remaining time.
  assert.equal(timeLeft(at(100, 12), head, now - 60_000), '12 s');
});

test('the age of a block', () => {
  assert.equal(ago(head.timestamp, now + 300), 'just now');
  assert.equal(ago(head.timestamp, now - 5_000), 'just now');
  assert.equal(ago(head.timestamp, now + 7_200_000), '2 h ago');
});

test('while a committee is drawn there is no deadline, and none of 1970', () => {
  const drawing = { height: 101, time: '1970-01-01T00:00:00.000Z' };
  for (const height of [100, 101, 500]) {
    assert.equal(timeLeft(drawing, { ...head, height }, now), 'no deadline yet');
  }
});
