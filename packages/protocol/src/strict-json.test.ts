import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { utf8Bytes } from './bytes.ts';
import {
  jsonPointer,
  parseStrictJson,
  parseStrictJsonText,
  StrictJsonError,
} from './strict-json.ts';

// Complements vectors/strict-json.json.

const SAMPLE =
  ' {"a":[1,-20,true,false,null,"x\\n\\u00e9😀\\ud83d\\ude00"],"b":{"c":{},"d":[]},"~/":"é"} ';

test('refuses a sample cut after any character', () => {
  const length = SAMPLE.trimEnd().length;
  parseStrictJson(SAMPLE.slice(0, length));
  for (let end = 0; end < length; end++) {
    assert.throws(() => parseStrictJson(SAMPLE.slice(0, end)), StrictJsonError, `cut at ${end}`);
  }
});

test('refuses a sample cut after any byte', () => {
  const bytes = utf8Bytes(SAMPLE.trimEnd());
  parseStrictJson(bytes);
  for (let end = 0; end < bytes.length; end++) {
    assert.throws(() => parseStrictJson(bytes.subarray(0, end)), StrictJsonError, `cut at ${end}`);
  }
});

test('refuses every unescaped control character in a string, and as whitespace all but four', () => {
  for (let code = 0; code < 32; code++) {
    const char = String.fromCharCode(code);
    assert.throws(() => parseStrictJson(`"${char}"`), StrictJsonError);
    if ('\t\n\r'.includes(char)) assert.equal(parseStrictJson(`${char}1${char}`), 1);
    else assert.throws(() => parseStrictJson(`${char}1`), StrictJsonError);
  }
});

describe('a caller’s string may hold a lone surrogate that bytes cannot', () => {
  const inputs = ['"\ud83d"', '"\\n\ud83d"', '"\\ud83d\ude00"', '"\ud83d\\ude00"', '{"\udead":1}'];
  inputs.forEach((input, i) => {
    test(`case ${i}`, () => assert.throws(() => parseStrictJson(input), /lone surrogate/));
  });
});

describe('names the place as a JSON Pointer', () => {
  const places: [string, string][] = [
    ['{"a":[0,{"b":1.5}]}', '/a/1/b'],
    ['{"~/":-0}', '/~0~1'],
    ['{"":01}', '/'],
    ['[1,2,', '/2'],
    ['{"a":{"b":1,"b":2}}', '/a'],
    ['{"a":1} x', ''],
    ['', ''],
  ];
  for (const [input, path] of places) {
    test(input, () => {
      assert.throws(
        () => parseStrictJson(input),
        (error) => error instanceof StrictJsonError && error.path === path,
      );
    });
  }
});

test('counts depth over arrays and objects together, and not their siblings', () => {
  const mixed = (depth: number): string =>
    Array.from({ length: depth }, (_, i) => (i % 2 ? '{"a":' : '[')).join('') +
    '1' +
    Array.from({ length: depth }, (_, i) => ((depth - 1 - i) % 2 ? '}' : ']')).join('');
  parseStrictJson(mixed(32));
  assert.throws(() => parseStrictJson(mixed(33)), /deeper than 32/);
  parseStrictJson(`[${Array.from({ length: 100 }, () => '[]').join(',')}]`);
});

test('refuses deep nesting before it can exhaust the stack', () => {
  assert.throws(() => parseStrictJson('['.repeat(1_000_000)), /deeper than 32/);
  assert.throws(() => parseStrictJson('{"a":'.repeat(1_000_000)), /deeper than 32/);
});

test('finds a repeated member wherever its names begin to fall', () => {
  for (const twice of [
    '{"a":1,"a":2}',
    '{"a":1,"b":2,"a":3}',
    '{"b":1,"a":2,"b":3}',
    '{"c":1,"a":2,"b":3,"a":4}',
    '{"a":{"b":1,"a":2,"b":3}}',
  ]) {
    assert.throws(() => parseStrictJson(twice), /stands twice/, twice);
  }
  assert.equal(parseStrictJsonText('{"b":1,"a":2,"c":3}').canonical, null);
  assert.deepEqual(
    parseStrictJsonText('{"a":{"signature":1},"signature":2}').canonical?.signature,
    {
      start: 21,
      end: 34,
    },
  );
});

test('a name of the prototype is an ordinary member', () => {
  const value = parseStrictJson('{"constructor":1,"valueOf":2}') as object;
  assert.deepEqual(Object.keys(value), ['constructor', 'valueOf']);
});

test('reads bytes in the middle of a buffer', () => {
  const bytes = utf8Bytes('xx[1]xx');
  assert.deepEqual(parseStrictJson(bytes.subarray(2, 5)), [1]);
});

test('jsonPointer escapes by RFC 6901', () => {
  assert.equal(jsonPointer([]), '');
  assert.equal(jsonPointer(['a/b', 'm~n', 0, '']), '/a~1b/m~0n/0/');
});
