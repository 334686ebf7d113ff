/** Compares our schema rules with Ajv. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACTIONS, APPLICATION_PROFILES } from './index.ts';
import {
  AgentRegistration,
  BlockHeader,
  compileSchema,
  FinalityCertificate,
  Genesis,
  InvitationClaim,
  OpenTransition,
  OperatorApplication,
  SignedIntent,
  StateCheckpoint,
  ValidatorSet,
  type Violation,
} from '@netd/protocol';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { TSchema } from '@netd/protocol/type';

const envelopes = {
  AgentRegistration,
  Genesis,
  InvitationClaim,
  OpenTransition,
  OperatorApplication,
  SignedIntent,
};
const payloads = [...ACTIONS.values()].map(({ name, payload }): [string, TSchema] => [
  name,
  payload,
]);
const profiles = Object.entries(APPLICATION_PROFILES).map(([role, schema]): [string, TSchema] => [
  `profile of ${role}`,
  schema,
]);
const schemas = [...Object.entries<TSchema>(envelopes), ...payloads, ...profiles];

test('every schema that envelopes are checked with is one of JSON Schema 2020-12', () => {
  const ajv = new Ajv2020();
  assert.ok(schemas.length > 60, `only ${schemas.length}`);
  for (const [name, schema] of schemas) {
    assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`);
  }
  assert.equal(ajv.validateSchema({ type: 'object', required: 'all' }), false);
});

/** Wire schemas, and one with every keyword. */
const others: [string, TSchema][] = [
  ...Object.entries({ BlockHeader, FinalityCertificate, StateCheckpoint, ValidatorSet }),
  [
    'every keyword',
    {
      type: 'object',
      required: ['a', 'toString'],
      minProperties: 2,
      maxProperties: 4,
      properties: {
        a: { type: ['string', 'null'], minLength: 2, maxLength: 3, enum: ['ab', null, 'abcd'] },
        'b/~': { type: 'array', minItems: 1, maxItems: 3, uniqueItems: true, items: {} },
        c: { type: 'array', maxItems: 3, uniqueItems: true, items: { type: ['string', 'number'] } },
        d: {
          anyOf: [
            { type: 'integer', minimum: -1, maximum: 2 },
            { type: 'string', const: 'd' },
            {
              type: 'object',
              properties: { e: { anyOf: [{ const: { f: [1] } }, { type: 'null' }] } },
            },
          ],
        },
        g: { type: 'number', maximum: 1.5, const: 1 },
      },
      additionalProperties: { type: 'boolean', enum: [true] },
    },
  ],
];

test('verdicts, paths, messages and their order are those of Ajv', () => {
  const counts = { good: 0, bad: 0 };
  for (const [name, schema] of [...schemas, ...others]) {
    const random = randomOf(name);
    for (const listAll of [false, true]) {
      const options = { strict: true, strictTypes: false, validateSchema: false } as const;
      const ajv = new Ajv2020({ ...options, allErrors: listAll, ownProperties: true });
      const wanted = ajv.compile(schema);
      const check = compileSchema(schema, { listAll, isOwn: true });
      for (let i = 0; i < ROUNDS; i++) {
        const value = sample(schema, random, i % 4 === 0 ? 0 : 0.3 / (1 + (i % 5)));
        const expected = wanted(value) ? null : violationsOf(wanted.errors ?? []);
        assert.deepEqual(check(value), expected, `${name}: ${JSON.stringify(value)}`);
        counts[expected ? 'bad' : 'good'] += 1;
      }
    }
  }
  assert.ok(counts.good > 1_000 && counts.bad > 1_000, JSON.stringify(counts));
});

const ROUNDS = Number(process.env['SCHEMA_ROUNDS'] ?? 40);

function violationsOf(errors: readonly ErrorObject[]): Violation[] {
  return errors.slice(0, 16).map(({ keyword, instancePath, params, message = '' }) => {
    const { missingProperty, additionalProperty, allowedValue, allowedValues } = params as {
      missingProperty?: string;
      additionalProperty?: string;
      allowedValue?: unknown;
      allowedValues?: unknown[];
    };
    const member = (missingProperty ?? additionalProperty ?? '')
      .replaceAll('~', '~0')
      .replaceAll('/', '~1');
    switch (keyword) {
      case 'required':
        return { path: `${instancePath}/${member}`, message: 'is required' };
      case 'additionalProperties':
        return {
          path: `${instancePath}/${member}`,
          message: 'is not a member of this object; remove it',
        };
      case 'const':
        return { path: instancePath, message: `must be ${JSON.stringify(allowedValue)}` };
      case 'enum': {
        const values = allowedValues?.map((value) => JSON.stringify(value)).join(', ');
        return { path: instancePath, message: `must be one of ${values}` };
      }
      default:
        return { path: instancePath, message };
    }
  });
}

type Random = (below: number) => number;

/** Deterministic. */
function randomOf(seed: string): Random {
  let state = [...seed].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7);
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const SHORT = ['', 'a', 'ab', 'abcd', 'o:1', '10', 'tok-abc', 'a\n', '\uD800', '1.2.3'];
const KEYS = ['A'.repeat(43), `${'A'.repeat(43)}=`, 'A'.repeat(86), `${'A'.repeat(86)}==`];
const HASHES = ['0a'.repeat(32), '0a'.repeat(64), `sha256:${'0a'.repeat(32)}`];
const LONG = ['😀'.repeat(40), 'x'.repeat(70), 'x'.repeat(600), '2026-01-01T00:00:00.000Z'];
const TEXTS = [...SHORT, ...KEYS, ...HASHES, ...LONG, 'https://a.example', 'https://a/b#c'];
const ODD = [null, true, -1, 0, -0, 1.5, 2 ** 53, Infinity, undefined, 'zz', [], [1, 1], {}];

/**
 * A mostly conforming value.
 * @param faults probability of a fault per part, at most 1
 */
function sample(schema: TSchema, random: Random, faults: number): unknown {
  const isFault = (): boolean => random(1_000) < faults * 1_000;
  if (isFault()) return ODD[random(ODD.length)];
  const {
    type,
    const: only,
    enum: values,
    anyOf,
    properties = {},
    required = [],
    items,
    ...rest
  } = schema as unknown as {
    type?: string | string[];
    const?: unknown;
    enum?: unknown[];
    anyOf?: TSchema[];
    properties?: Record<string, TSchema>;
    required?: string[];
    items?: TSchema;
  } & Record<string, number | undefined>;
  if (only !== undefined) return only;
  if (values) return values[random(values.length)];
  if (anyOf) return sample(anyOf[random(anyOf.length)] as TSchema, random, faults);
  const types = [type ?? 'null'].flat();
  switch (types[random(types.length)]) {
    case 'object': {
      const names = Object.keys(properties).filter((name) =>
        required.includes(name) ? !isFault() : random(3) > 0,
      );
      const members = names.map((name) => [
        name,
        sample(properties[name] as TSchema, random, faults),
      ]);
      if (isFault()) members.push(['x/~y', true]);
      return Object.fromEntries(members) as unknown;
    }
    case 'array': {
      const { minItems = 0, maxItems = 3 } = rest;
      const most = Math.min(maxItems, minItems + 2) + (isFault() ? 1 : 0);
      const length = minItems + random(most - minItems + 1) - (isFault() ? 1 : 0);
      const list = Array.from({ length: Math.max(0, length) }, () =>
        sample(items ?? {}, random, faults),
      );
      return isFault() ? [...list, ...list] : list;
    }
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 2 ** 53 - 1 } = rest;
      return [minimum, maximum, minimum + 1, ...(isFault() ? [minimum - 1, maximum + 1] : [])].at(
        random(3) - (isFault() ? 2 : 0),
      );
    }
    case 'boolean':
      return random(2) === 0;
    case 'string': {
      const { minLength = 0, maxLength = 600 } = rest;
      const source = (schema as { pattern?: string }).pattern;
      const fitting = TEXTS.filter(
        (text) =>
          text.length >= minLength &&
          text.length <= maxLength &&
          (source === undefined || new RegExp(source, 'u').test(text)),
      );
      const pool = fitting.length > 0 && !isFault() ? fitting : TEXTS;
      return pool[random(pool.length)];
    }
    default:
      return null;
  }
}
