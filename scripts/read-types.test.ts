import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readTypes, type Description } from './read-types.ts';

type Schema = Description['components']['schemas'][string];

const described = (schema: Schema, parameters: string[] = []): Description => ({
  paths: {
    '/thing': {
      get: {
        summary: 'A thing',
        parameters: parameters.map((name) => ({ name, schema: { type: 'string' } })),
        responses: { '200': { content: { 'application/json': { schema } } } },
      },
    },
  },
  components: { schemas: { Local: { type: 'object', properties: { a: { type: 'integer' } } } } },
});

describe('the types of reads', () => {
  test('follow the schemas that the description uses', () => {
    const types: [schema: Schema, type: string][] = [
      [{ type: 'integer' }, 'number'],
      [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
      [{ const: 'NET/1' }, '"NET/1"'],
      [
        { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
        '(string | null)[]',
      ],
      [{ type: 'object', additionalProperties: { type: 'boolean' } }, 'Record<string, boolean>'],
      [{ type: 'object', additionalProperties: true }, 'JsonObject'],
      [
        { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
        '{ "a": string;\n"b"?: unknown | undefined; }',
      ],
    ];
    for (const [schema, type] of types) {
      assert.ok(readTypes(described(schema)).includes(`document: ${type};`), type);
    }
  });

  test('take named schemas from the protocol where it has them, and write others out', () => {
    const schema = {
      anyOf: [{ $ref: '#/components/schemas/Local' }, { $ref: '#/components/schemas/Receipt' }],
    };
    const text = readTypes(described(schema));
    assert.match(text, /import type \{ Receipt \} from '@netd\/protocol'/);
    assert.match(text, /export interface Local \{ "a"\?: number \| undefined; \}/);
  });

  test('are not made of what they could not say', () => {
    const unknown = { $ref: '#/components/schemas/Nothing' };
    assert.throws(() => readTypes(described(unknown)), /Nothing is not described/);
    assert.throws(() => readTypes(described({ type: 'number' })), /type number/);
    assert.throws(() => readTypes(described({}, ['id', 'id'])), /two parameters of one name/);
  });
});
