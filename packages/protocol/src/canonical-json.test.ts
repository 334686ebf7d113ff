import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CanonicalJsonError, canonicalize, canonicalMembers } from './canonical-json.ts';

const refused: [string, unknown][] = [
  ['undefined', undefined],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['a bigint', 1n],
  ['NaN', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['minus infinity', Number.NEGATIVE_INFINITY],
  ['a lone high surrogate', 'a\ud83d'],
  ['a lone low surrogate', '\ude00a'],
  ['a lone surrogate in a name', { '\ud83d': 1 }],
  ['undefined in an object', { a: undefined }],
  ['undefined in an array', [undefined]],
  ['a hole in an array', Array.from({ length: 1 })],
  ['NaN deep inside', { a: [{ b: Number.NaN }] }],
];
for (const [name, value] of refused) {
  test(`refuses ${name}`, () => {
    assert.throws(() => canonicalize(value), CanonicalJsonError);
    assert.throws(() => canonicalize([value]), CanonicalJsonError);
  });
}

test('sorts members by UTF-16 code unit, so that an emoji precedes U+FB33', () => {
  assert.equal(
    canonicalize({ '\ufb33': 1, '😀': 2, z: 3, Z: 4 }),
    '{"Z":4,"z":3,"😀":2,"\ufb33":1}',
  );
});

test('sorts names that look like array indexes as text', () => {
  assert.equal(canonicalize({ 10: 1, 9: 2, '-1': 3 }), '{"-1":3,"10":1,"9":2}');
});

test('does not normalise', () => {
  assert.notEqual(canonicalize('\u00e9'), canonicalize('e\u0301'));
});

test('keeps a member named __proto__', () => {
  assert.equal(canonicalize(JSON.parse('{"__proto__":1}')), '{"__proto__":1}');
});

test('takes own members only', () => {
  assert.equal(canonicalize(Object.create({ inherited: 1 })), '{}');
});

test('prints minus zero as 0', () => {
  assert.equal(canonicalize(-0), '0');
});

test('canonicalMembers leaves out exactly the one member', () => {
  const value = { b: 1, signature: 'x', a: { signature: 'y' }, signatures: 2 };
  assert.deepEqual(canonicalMembers(value, 'signature'), [
    '"a":{"signature":"y"}',
    '"b":1',
    '"signatures":2',
  ]);
  assert.equal(canonicalMembers(value).length, 4);
});
