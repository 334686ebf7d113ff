import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENT_VALUES, sha256Hex, utf8Bytes } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { defineFormat } from './document.ts';
import { refuses } from './testing/refusal.ts';

const format = defineFormat(
  Type.Object(
    { a: Type.Optional({}), b: Type.Optional(Type.Unknown()) },
    { additionalProperties: false },
  ),
);
const read = (text: string, hash?: string) => format.read(utf8Bytes(text), hash);

test('refuses bytes that are not JSON in UTF-8', async () => {
  await refuses('DOCUMENT_NOT_JSON', () => format.read(Uint8Array.of(0x22, 0xff, 0x22)));
  for (const text of [
    '',
    '{',
    '{"a":1}x',
    '\u{FEFF}{"a":1}',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":"\n"}',
  ]) {
    await refuses('DOCUMENT_NOT_JSON', () => read(text));
  }
});

test('refuses documents that other readers would understand differently', async () => {
  const texts = [
    '{"a":1,"a":1}',
    '{"b":1,"a":1}',
    '{ "a":1}',
    '{"a":1.0}',
    '{"a":-0}',
    '{"a":1e2}',
    '{"a":9007199254740993}',
    '{"a":"\\u0061"}',
    '{"a":"\\ud800"}',
    '{"a":1}\n',
  ];
  for (const text of texts) await refuses('DOCUMENT_NOT_CANONICAL', () => read(text));
});

test('depth is bounded before anything walks the value, brackets in strings do not count', async () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  read(nested(63));
  await refuses('DOCUMENT_NOT_JSON', () => read(nested(64)));
  await refuses('DOCUMENT_NOT_JSON', () => read(nested(100_000)));
  read(`{"a":"${'['.repeat(1_000)}\\"${'{'.repeat(1_000)}"}`);
});

test('values are counted before anything is parsed, commas in strings do not count', async () => {
  const large = defineFormat(Type.Object({ b: Type.Unknown() }), { maxBytes: 8 * 1024 * 1024 });
  const list = (count: number) => `{"b":[${Array(count).fill(1).join()}]}`;
  assert.ok(large.read(utf8Bytes(list(MAX_DOCUMENT_VALUES - 2))));
  await refuses('DOCUMENT_TOO_LARGE', () => large.read(utf8Bytes(list(MAX_DOCUMENT_VALUES))));
  await refuses('DOCUMENT_TOO_LARGE', () => large.read(utf8Bytes(list(4_000_000))));
  assert.ok(large.read(utf8Bytes(`{"b":"${','.repeat(4_000_000)}"}`)));
});

test('size and hash come before parsing', async () => {
  await refuses('DOCUMENT_TOO_LARGE', () => format.read(new Uint8Array(MAX_DOCUMENT_BYTES + 1)));
  await refuses('DOCUMENT_HASH_MISMATCH', () => read('{', sha256Hex('{"a":1}')));
  assert.deepEqual(read('{"a":1}', sha256Hex('{"a":1}')), { a: 1 });
});

test('a broken schema names the member', async () => {
  await refuses('DOCUMENT_INVALID', () => read('{"c":1}'), '/c');
  await refuses('DOCUMENT_INVALID', () => read('[]'), '');
});

test('a document survives a round trip and is named by its hash', () => {
  const { hash, bytes } = format.make({ b: 'ü', a: 0.1 });
  assert.equal(new TextDecoder().decode(bytes), '{"a":0.1,"b":"ü"}');
  assert.equal(hash, sha256Hex(bytes));
  assert.deepEqual(format.read(bytes, hash), { b: 'ü', a: 0.1 });
});
