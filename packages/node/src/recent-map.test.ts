/** What a RecentMap holds, and for how long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentMap } from './recent-map.ts';

test('the last ones set are there, those before twice as many are not', () => {
  const map = new RecentMap<number, number>(10);
  for (let last = 0; last < 100; last++) {
    map.set(last, -last);
    for (let key = 0; key <= last; key++) {
      const found = map.get(key);
      if (key > last - 10) assert.equal(found, -key);
      if (key <= last - 20) assert.equal(found, undefined);
    }
  }
});

test('the newer value is the one that is found, and what is taken out is nowhere', () => {
  const map = new RecentMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 1);
  map.set('a', 2);
  map.set('c', 1);
  map.set('a', 3);
  assert.equal(map.get('a'), 3);
  map.delete('a');
  map.delete('b');
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => map.get(key)),
    [undefined, undefined, 1],
  );
});
