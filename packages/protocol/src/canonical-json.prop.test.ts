import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { utf8Bytes } from './bytes.ts';
import { canonicalize, type JsonObject, type JsonValue } from './canonical-json.ts';
import { encodeEnvelope, bytesToSign, nonceHash } from './envelope.ts';
import { hashValue } from './hash.ts';
import {
  parseStrictJson,
  parseStrictJsonText,
  requireStrictValue,
  StrictJsonError,
} from './strict-json.ts';

const text = fc.string({ unit: 'binary' });
const name = text.filter((key) => key !== '__proto__');

function jsonOf(number: fc.Arbitrary<number>): fc.Arbitrary<JsonValue> {
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constant(null),
      fc.boolean(),
      number,
      text,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  return value;
}

const anyJson = jsonOf(fc.double({ noNaN: true, noDefaultInfinity: true }));
const integerJson = jsonOf(fc.maxSafeInteger());

test('canonicalize is idempotent and keeps the value', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const once = canonicalize(value);
      assert.equal(canonicalize(JSON.parse(once)), once);
    }),
  );
});

/** Reverses the members of all objects. */
function turned(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(turned);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([member, inner]) => [member, turned(inner)]),
  );
}

test('the order in which members were added does not matter', () => {
  const few = fc.dictionary(name, anyJson, { noNullPrototype: true });
  const many = fc.dictionary(name, fc.integer(), {
    noNullPrototype: true,
    minKeys: 20,
    maxKeys: 60,
  });
  fc.assert(
    fc.property(fc.oneof(few, many), (object) => {
      const inOrder: unknown = JSON.parse(canonicalize(object));
      assert.equal(canonicalize(turned(object)), canonicalize(object));
      assert.equal(canonicalize(inOrder), canonicalize(object));
    }),
  );
});

test('parseStrictJson reads the output of canonicalize, from text and from bytes', () => {
  fc.assert(
    fc.property(integerJson, (value) => {
      const canonical = canonicalize(value);
      assert.equal(canonicalize(parseStrictJson(canonical)), canonical);
      assert.equal(canonicalize(parseStrictJson(utf8Bytes(canonical))), canonical);
      assert.equal(canonicalize(parseStrictJson(JSON.stringify(value, null, 2))), canonical);
    }),
  );
});

test('parseStrictJson refuses every number that is no safe integer', () => {
  const other = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((number) => !Number.isSafeInteger(number));
  fc.assert(
    fc.property(other, (number) => {
      assert.throws(() => parseStrictJson(`[${canonicalize(number)}]`), StrictJsonError);
    }),
  );
});

test('parseStrictJson accepts a subset of JSON.parse with equal values', () => {
  const noise = fc.string({ unit: fc.constantFrom(...'{}[]",:\\ue0d8-19.tn \n'.split('')) });
  const damaged = fc.tuple(integerJson, fc.nat(), noise).map(([value, at, extra]) => {
    const whole = canonicalize(value);
    const cut = at % (whole.length + 1);
    return whole.slice(0, cut) + extra + whole.slice(cut);
  });
  fc.assert(
    fc.property(fc.oneof(noise, damaged), (input) => {
      let value: JsonValue;
      try {
        value = parseStrictJson(input);
      } catch (error) {
        assert.ok(error instanceof StrictJsonError);
        return;
      }
      assert.equal(canonicalize(JSON.parse(input)), canonicalize(value));
    }),
    { numRuns: 500 },
  );
});

/** The path of the fault, or null. */
function faultAt(read: () => void): string | null {
  try {
    read();
    return null;
  } catch (error) {
    assert.ok(error instanceof StrictJsonError, String(error));
    return error.path;
  }
}

test('requireStrictValue refuses exactly the values that parseStrictJson refuses as text', () => {
  const crafted = fc.constantFrom(
    '[1e3,1.0]',
    '[9007199254740993]',
    '{"a":1,"a":2}',
    '[{"__proto__":1}]',
    '["\\ud83d\\ude00"]',
    JSON.stringify(['é'.repeat(2_048)]),
    JSON.stringify(['x'.repeat(2_049)]),
    JSON.stringify(['😀'.repeat(2_048)]),
    '['.repeat(32) + ']'.repeat(32),
    '['.repeat(33) + ']'.repeat(33),
    '{"a":'.repeat(31) + '[]' + '}'.repeat(31),
    '{"a":'.repeat(32) + '[]' + '}'.repeat(32),
  );
  fc.assert(
    fc.property(fc.oneof(crafted, anyJson.map(canonicalize)), (told) => {
      const value: unknown = JSON.parse(told);
      // -0 prints as 0.
      fc.pre(!told.includes('-0'));
      assert.equal(
        faultAt(() => requireStrictValue(value)),
        faultAt(() => parseStrictJson(canonicalize(value))),
        told,
      );
    }),
    { numRuns: 500 },
  );
  for (const told of ['[-0]', '[1e999]', '["\\ude00"]', '[{"\\ud800":1}]']) {
    assert.notEqual(
      faultAt(() => requireStrictValue(JSON.parse(told))),
      null,
      told,
    );
  }
});

test('an encoded envelope agrees with the definitions', () => {
  fc.assert(
    fc.property(
      fc.dictionary(name, integerJson, { noNullPrototype: true }),
      text,
      (rest, signature) => {
        const { signature: _, ...unsigned } = rest;
        const encoded = encodeEnvelope({ ...rest, signature });
        assert.equal(encoded.transitionHash, hashValue({ ...rest, signature }));
        assert.deepEqual(encoded.signedBytes, utf8Bytes(canonicalize(unsigned)));
        assert.deepEqual(bytesToSign(unsigned), encoded.signedBytes);
      },
    ),
  );
});

test('an envelope is encoded the same from canonical and from other text', () => {
  // Names around `signature`, also nested.
  const near = fc.constantFrom(
    '',
    'a',
    'schema',
    'signature',
    'signaturf',
    'signatures',
    'z',
    '\u{1F600}',
  );
  const members = fc.dictionary(
    near,
    fc.oneof(integerJson, fc.dictionary(near, text, { noNullPrototype: true })),
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(members, (envelope) => {
      const sent = canonicalize(envelope);
      const { value, canonical } = parseStrictJsonText(sent);
      assert.ok(canonical);
      assert.deepEqual(encodeEnvelope(value as JsonObject, canonical), encodeEnvelope(envelope));
      const { signature: _, ...unsigned } = envelope;
      const { signedBytes } = encodeEnvelope(value as JsonObject, canonical);
      assert.deepEqual(signedBytes, utf8Bytes(canonicalize(unsigned)));
    }),
  );
});

test('nonceHash is the hash of the pair', () => {
  fc.assert(
    fc.property(text, text, (actorId, nonce) => {
      assert.equal(nonceHash(actorId, nonce), hashValue({ actorId, nonce }));
    }),
  );
});
