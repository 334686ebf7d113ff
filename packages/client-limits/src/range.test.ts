import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeOf } from './range.ts';

test('ranges of ten bytes', () => {
  const cases: [string | undefined, ReturnType<typeof rangeOf>][] = [
    [undefined, 'whole'],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=3-', { first: 3, last: 9 }],
    ['bytes=3-5', { first: 3, last: 5 }],
    ['bytes=3-99', { first: 3, last: 9 }],
    ['bytes=9-9', { first: 9, last: 9 }],
    ['bytes=-4', { first: 6, last: 9 }],
    ['bytes=-99', { first: 0, last: 9 }],
    ['bytes=10-', null],
    ['bytes=999999999999999-', null],
    ['bytes=-0', null],
    // The header is ignored, because it is not a single byte range.
    ['bytes=5-3', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes= 0-1', 'whole'],
    ['bytes=0-1x', 'whole'],
    ['bytes=--1', 'whole'],
    ['lines=0-1', 'whole'],
    ['bytes=99999999999999999999-', 'whole'],
  ];
  for (const [header, range] of cases) assert.deepEqual(rangeOf(header, 10), range, header);
});

test('nothing has no bytes', () => {
  assert.equal(rangeOf('bytes=0-', 0), null);
  assert.equal(rangeOf('bytes=-1', 0), null);
  assert.equal(rangeOf(undefined, 0), 'whole');
});
