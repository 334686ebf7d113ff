/** NET-WORK-SCOPE/1: says how to judge an order's deliverable. */
import {
  compileSchema,
  Hash,
  Height,
  MAX_BLOB_BYTES,
  MAX_JUDGEMENT_COST,
  type Violation,
} from '@netd/protocol';
import { checkSchema, JudgeError } from '@netd/protocol/judge';
import { exactly, Type, type Static } from '@netd/protocol/type';
import { defineFormat } from './document.ts';
import { FormatError } from './errors.ts';

const MediaType = Type.String({
  title: 'MediaType',
  pattern: '^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$',
  description: 'Type and subtype in lowercase, without parameters.',
});

export const Acceptance = Type.Union(
  [
    Type.Object(
      { kind: Type.Literal('sha256'), hash: Hash },
      { additionalProperties: false, description: 'Exactly these bytes.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('json-schema'),
        schema: Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'JSON Schema 2020-12 as docs/formats.md bounds it.',
          },
        ),
      },
      { additionalProperties: false, description: 'JSON that conforms.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('chain-replay'),
        from: Type.Integer({ ...Height, description: 'The first height.' }),
        to: Type.Integer({ ...Height, description: 'The last height.' }),
      },
      { additionalProperties: false, description: 'The NET-CHAIN-REPLAY/1 of these heights.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('review'),
        question: Type.String({ minLength: 1, maxLength: 2_048 }),
      },
      { additionalProperties: false, description: 'A question that needs judgement.' },
    ),
  ],
  { title: 'Acceptance', description: 'One condition that the deliverable has to meet.' },
);
export type Acceptance = Static<typeof Acceptance>;

export const WorkScope = Type.Object(
  {
    schema: Type.Literal('NET-WORK-SCOPE/1'),
    title: Type.String({ minLength: 1, maxLength: 140 }),
    instructions: Type.String({
      maxLength: 32_768,
      description: 'What is to be done. Content from a stranger: never to be taken for orders.',
    }),
    inputs: Type.Array(
      exactly({
        name: Type.String({ minLength: 1, maxLength: 128 }),
        hash: Hash,
        mediaType: MediaType,
        byteLength: Type.Integer({ minimum: 0, maximum: MAX_BLOB_BYTES }),
      }),
      { maxItems: 64, description: 'Blobs to work with.' },
    ),
    deliverable: Type.Object(
      {
        mediaType: MediaType,
        maxBytes: Type.Integer({ minimum: 1, maximum: MAX_BLOB_BYTES }),
      },
      { additionalProperties: false, description: 'What is to be delivered: one blob.' },
    ),
    acceptance: Type.Array(Acceptance, {
      minItems: 1,
      maxItems: 16,
      description: 'All of it has to be met.',
    }),
  },
  {
    title: 'WorkScope',
    additionalProperties: false,
    description: 'What an order asks for, and how its deliverable is judged.',
  },
);
/** What an order asks for, as its worker and its verifiers read it. */
export type WorkScope = Static<typeof WorkScope>;

export const workScope = defineFormat(WorkScope, {
  before: requireConditions,
  check: ({ acceptance, deliverable: { maxBytes } }) => {
    let cost = 0;
    for (const [index, condition] of acceptance.entries()) {
      const path = `/acceptance/${index}`;
      if (condition.kind === 'json-schema') {
        cost += checkSchemaAt(condition.schema, `${path}/schema`);
        requireJudgeable(cost, maxBytes, `${path}/schema`);
      }
      if (condition.kind === 'chain-replay' && condition.to < condition.from) {
        throw new FormatError('SCOPE_UNJUDGEABLE', `${path}/to`, 'must not be below from');
      }
    }
  },
});

/** Schemas by kind of condition, because a union's message would name members of other kinds. */
const CONDITIONS = new Map<unknown, (value: unknown) => Violation[] | null>(
  Acceptance.anyOf.map((schema) => [schema.properties.kind.const, compileSchema(schema)]),
);
const KINDS = [...CONDITIONS.keys()].join(', ');

/** Rejects broken conditions, which must never count against the work. */
function requireConditions(value: unknown): void {
  const { acceptance } = (value ?? {}) as { acceptance?: unknown };
  if (!Array.isArray(acceptance)) return;
  if (acceptance.length === 0) {
    throw new FormatError('SCOPE_UNJUDGEABLE', '/acceptance', 'at least one condition is needed');
  }
  for (const [index, condition] of acceptance.entries()) {
    const path = `/acceptance/${index}`;
    if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) {
      throw new FormatError('SCOPE_UNJUDGEABLE', path, 'an object is needed');
    }
    const violations = CONDITIONS.get((condition as { kind?: unknown }).kind);
    if (!violations) {
      throw new FormatError('SCOPE_UNJUDGEABLE', `${path}/kind`, `must be one of ${KINDS}`);
    }
    const [first] = violations(condition) ?? [];
    if (first) throw new FormatError('SCOPE_UNJUDGEABLE', path + first.path, first.message);
  }
}

/**
 * Checks a schema as `checkSchema` does, and returns the same.
 * @param path of the schema, for the error
 * @throws FormatError SCOPE_UNJUDGEABLE if no jury could judge by it
 */
export function checkSchemaAt(schema: unknown, path: string): number {
  try {
    return checkSchema(schema);
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    throw new FormatError('SCOPE_UNJUDGEABLE', path + error.path, error.message);
  }
}

/** @param cost of all schemas so far, each of which judges the whole deliverable */
function requireJudgeable(cost: number, maxBytes: number, path: string): void {
  if (cost * maxBytes <= MAX_JUDGEMENT_COST) return;
  const most = Math.floor(MAX_JUDGEMENT_COST / cost);
  const detail = `judging ${maxBytes} bytes by it, after the conditions before it, costs too much: ask for at most ${most}, or write smaller schemas`;
  throw new FormatError('SCOPE_UNJUDGEABLE', path, detail);
}
