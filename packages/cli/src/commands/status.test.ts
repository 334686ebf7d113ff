/** What the table of validators says about the next loss. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marginText } from './status.ts';

test('the set that lost its quorum is not called one loss away from that', () => {
  const set = (...down: boolean[]): { votingPower: number; isDown: boolean }[] =>
    down.map((isDown) => ({ votingPower: 1_000, isDown }));
  assert.match(marginText(set(false, false, false, false), 1), /1 more can stop/);
  assert.match(marginText(set(false, false, false, true), 0), /if one more stops/);
  assert.match(marginText(set(false, false, true, true), 0), /too few vote, and no block/);
});
