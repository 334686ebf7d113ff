import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rejections } from './rejections.ts';

test('three rejections of one kind in a row pause that kind alone, with all reasons, until it is resumed', () => {
  const kinds = new Rejections();
  assert.equal(kinds.rejected('haiku', ['too long']), null);
  assert.equal(kinds.rejected('haiku', []), null);
  kinds.paid('haiku');
  for (const reasons of [['too long'], ['no rhyme', 'too long']]) {
    assert.equal(kinds.rejected('haiku', reasons), null);
    assert.equal(kinds.rejected('research', []), null);
  }
  assert.equal(kinds.isPaused('haiku'), false);
  assert.deepEqual(kinds.rejected('haiku', ['late']), ['too long', 'no rhyme', 'late']);
  assert.deepEqual([kinds.isPaused('haiku'), kinds.isPaused('research')], [true, false]);
  assert.equal(kinds.rejected('haiku', []), null, 'said once');
  kinds.resume('haiku');
  assert.equal(kinds.isPaused('haiku'), false);
});
