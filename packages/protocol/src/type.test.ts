/** Compares each builder with TypeBox, member by member. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type as TypeBox } from 'typebox';
import { Type } from './type.ts';

const about = { title: 'Title', description: 'what it is' };

/** Covers every builder. */
const calls: Record<keyof typeof Type, (type: typeof Type) => object[]> = {
  Array: ({ Array, String }) => [Array(String()), Array(String(), { ...about, maxItems: 3 })],
  Boolean: ({ Boolean }) => [Boolean(), Boolean(about)],
  Enum: ({ Enum }) => [Enum(['a', 'b']), Enum([1, 'b'], about)],
  Integer: ({ Integer }) => [Integer(), Integer({ minimum: 0, ...about })],
  Literal: ({ Literal }) => [Literal('a'), Literal(1, about), Literal(true)],
  Null: ({ Null }) => [Null(), Null(about)],
  Number: ({ Number }) => [Number(), Number({ maximum: 2 })],
  Object: ({ Object, Optional, String, Integer }) => [
    Object({}),
    Object({}, { additionalProperties: true }),
    Object({ a: Optional(String()) }, about),
    Object(
      { b: String(), a: Optional(Integer(about)), c: Integer() },
      { additionalProperties: false },
    ),
    Object({ a: Object({ b: Optional(Object({ c: String() })) }) }),
    // A copy of an optional member is required.
    Object({ a: { ...Optional(String()), ...about } }),
  ],
  Optional: ({ Optional, String }) => [Optional(String(about)), Optional(Optional(String()))],
  String: ({ String }) => [String(), String({ pattern: '^a$', ...about, type: 'null' })],
  Union: ({ Union, String, Null }) => [Union([String(), Null()]), Union([], about)],
  Unknown: ({ Unknown }) => [Unknown(), Unknown(about)],
  Unsafe: ({ Unsafe, Object, Optional, String }) => [
    Unsafe(Object({}, about)),
    Object({ a: Unsafe(Optional(String())) }),
  ],
};

for (const [name, call] of Object.entries(calls)) {
  test(name, () => {
    assert.equal(JSON.stringify(call(Type)), JSON.stringify(call(TypeBox)));
  });
}

test('optional schemas stay optional, and making one optional does not change the original', () => {
  const text = Type.String();
  assert.deepEqual(Object.getOwnPropertyNames(Type.Optional(text)), ['type', '~optional']);
  assert.deepEqual(Object.getOwnPropertyNames(text), ['type']);
});
