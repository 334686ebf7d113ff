import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Type } from './type.ts';
import {
  ActorId,
  Amount,
  Hash,
  HttpsUri,
  Nonce,
  RecordId,
  Timestamp,
  TOKEN_ID_PATTERN,
  Uri,
} from './schemas.ts';
import { BAD_URIS, GOOD_URIS } from './testing/uris.ts';
import { compileSchema } from './validation.ts';

const Sample = Type.Object(
  {
    kind: Type.Literal('a'),
    mode: Type.Optional(Type.Union([Type.Literal('x'), Type.Literal('y')])),
    'odd/~name': Type.Integer({ default: 7 }),
  },
  { additionalProperties: false },
);
const check = compileSchema(Sample, { listAll: true });

test('explains faults with their path, as a person would', () => {
  assert.deepEqual(check({ kind: 'a' }), [{ path: '/odd~1~0name', message: 'is required' }]);
  assert.deepEqual(check({ kind: 'b', 'odd/~name': 1 }), [
    { path: '/kind', message: 'must be "a"' },
  ]);
  assert.deepEqual(check({ kind: 'a', 'odd/~name': 1, 'x/y': 1 }), [
    { path: '/x~1y', message: 'is not a member of this object; remove it' },
  ]);
  assert.deepEqual(check([]), [{ path: '', message: 'must be object' }]);
  assert.equal(check({ kind: 'a', 'odd/~name': 1, mode: 'y' }), null);
});

test('compiles a schema at the first value, and reports its faults then', () => {
  const misspelt = compileSchema({ type: 'object', propertys: {} });
  assert.throws(() => misspelt({}), /unknown keyword: "propertys"/);
});

test('never coerces, defaults or removes', () => {
  const value = { kind: 'a', 'odd/~name': '1', extra: true };
  const before = structuredClone(value);
  assert.equal(check(value)?.length, 2);
  assert.deepEqual(value, before);
});

test('a member is required of the object itself, not of its prototype', () => {
  assert.ok(compileSchema(Type.Object({ toString: Type.Unknown() }))({}));
});

test('lists at most 16 violations', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`m${i}`, 1]));
  assert.equal(check(many)?.length, 16);
});

test('ends at the first violation, or at the sixteenth if all are asked for', () => {
  let reads = 0;
  const trap = Object.defineProperty({}, 'kind', { enumerable: true, get: () => (reads += 1) });
  const List = Type.Array(Sample, { maxItems: 1_000 });
  assert.equal(compileSchema(List)(Array(1_000).fill(trap))?.length, 1);
  assert.equal(compileSchema(List, { listAll: true })(Array(1_000).fill(trap))?.length, 16);
  assert.ok(reads < 100, `${reads} reads`);
});

test('an array of strangers needs a bound, which comes before its items', () => {
  const boundless = Type.Object({ items: Type.Optional(Type.Array(Sample)), type: Type.Integer() });
  assert.throws(() => compileSchema(boundless)({}), /array at \/properties\/items .* maxItems/);
  assert.equal(compileSchema(boundless, { isOwn: true })({ type: 1 }), null);
  const bounded = compileSchema(Type.Array(Sample, { maxItems: 2 }));
  assert.match(bounded([1, 1, 1])?.[0]?.message ?? '', /more than 2 items/);
});

test('one check does not disturb the next', () => {
  const first = check({});
  check({ kind: 'b' });
  assert.equal(first?.length, 2);
});

describe('shapes', () => {
  const label = 'a'.repeat(63);
  const shapes: [string, Parameters<typeof compileSchema>[0], unknown[], unknown[]][] = [
    [
      'Hash',
      Hash,
      ['0a'.repeat(32)],
      ['', '0A'.repeat(32), '0a'.repeat(33), `${'0a'.repeat(32)}\n`, 0],
    ],
    [
      'ActorId',
      ActorId,
      ['ab', '0-', `a${'.'.repeat(63)}`],
      ['', 'a', '-a', '.a', 'a:b', 'a b', 'ab\n', 'é1', `a${'.'.repeat(64)}`],
    ],
    [
      'RecordId',
      RecordId,
      ['a', 'o:1', `a${'-'.repeat(127)}`],
      ['', ':a', 'a/b', 'a\n', `a${'-'.repeat(128)}`],
    ],
    [
      'TokenId',
      Type.String({ pattern: TOKEN_ID_PATTERN }),
      ['tok-abc'],
      ['tok-ab', 'tok--ab', 'TOK-abc', 'tok-abc\n'],
    ],
    [
      'Timestamp',
      Timestamp,
      ['2026-01-01T00:00:00.000Z'],
      ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000+00:00', '2026-01-01t00:00:00.000z'],
    ],
    ['Amount', Amount, [1, 2 ** 53 - 1], [0, -1, 1.5, 2 ** 53, '1', [1], null]],
    ['Nonce', Nonce, ['x', '😀'.repeat(128)], ['', '😀'.repeat(129), 1]],
    ['Uri', Uri, [...GOOD_URIS], [...BAD_URIS, `urn:${'x'.repeat(2_045)}`]],
    [
      'HttpsUri',
      HttpsUri,
      [
        'https://a',
        'https://a.example:8080/p%20q?x=1&y=[]'.replace('[]', ''),
        `https://${label}.example/`,
        'https://127.0.0.1?q',
        'https://xn--bcher-kva.example',
      ],
      [
        '',
        'http://a',
        'HTTPS://a',
        'https://',
        'https:///a',
        'https://a@b',
        'https://u:p@b/',
        'https://a#f',
        'https://a/#',
        'https://-a',
        'https://a-',
        'https://a..b',
        'https://a:',
        'https://a:123456',
        'https://a/%zz',
        'https://a/ b',
        'https://bücher.example',
        'https://a\n',
        'https://a\\b',
        `https://a${label}.example`,
        `https://a/${'x'.repeat(512)}`,
      ],
    ],
  ];
  for (const [name, schema, good, bad] of shapes) {
    test(name, () => {
      const fits = compileSchema(schema);
      for (const value of good) assert.equal(fits(value), null, JSON.stringify(value));
      for (const value of bad) assert.ok(fits(value), JSON.stringify(value));
    });
  }
});
