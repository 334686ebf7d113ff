import { canonicalize } from '@netd/protocol';
import { JudgeError, judgeBySchema, Meter, type JudgeErrorCode, type SchemaVerdict } from '@netd/protocol/judge';

type Outcome = (SchemaVerdict & { steps: number }) | { refused: JudgeErrorCode; path: string };

export interface JudgeCase {
  schema: object;
  text: string;
}

function outcomeOf({ schema, text }: JudgeCase, most?: number): Outcome {
  const meter = new Meter(most);
  try {
    return { ...judgeBySchema(schema, text, Buffer.byteLength(text), meter), steps: meter.steps };
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    return { refused: error.code, path: error.path };
  }
}

/** Mulberry32, so that a seed gives the same cases on every machine. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const NUMBERS = ['0', '1', '-1', '2', '3', '1.0', '1.5', '-0.5', '10', '1e1', '0.1', '1e-1'];
const TEXTS = ['', 'a', 'b', 'ab', 'aab', 'é', '\u{1f600}', '1', '\n'];
const NAMES = ['a', 'b', 'ab', '1', '0', 'é'];
const PATTERNS = ['^a+$', 'a|b', '^(?:a|b){1,2}$', String.raw`\d`, '[^a]', '^.$', 'b$', '(a*)*b', '^$', String.raw`\W`];
const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

/** A schema of any judged keywords and JSON for it, of small parts, so that about half of the cases are met. */
export function randomCase(seed: number): JudgeCase {
  const below = randomOf(seed);
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const some = <Value>(make: () => Value, least = 0): Value[] => Array.from({ length: least + below(3) }, make);
  const names = (): string[] => [...new Set(some(() => pick(NAMES)))];
  const map = (depth: number, keys: readonly string[]): object =>
    Object.fromEntries(some(() => [pick(keys), schemaOf(depth)]));

  function textOf(depth: number): string {
    const kind = below(depth > 0 ? 8 : 4);
    if (kind === 0) return pick(['null', 'true', 'false']);
    if (kind < 3) return pick(NUMBERS);
    if (kind === 3) return JSON.stringify(pick(TEXTS));
    if (kind < 6) return `[${some(() => textOf(depth - 1)).join(',')}]`;
    return `{${names().map((name) => `${JSON.stringify(name)}: ${textOf(depth - 1)}`).join(',')}}`;
  }
  const valueOf = (): unknown => JSON.parse(textOf(1));

  const keywords: Record<string, (depth: number) => unknown> = {
    type: () => (below(2) ? pick(TYPES) : [...new Set(some(() => pick(TYPES), 1))]),
    enum: () => some(valueOf, 1),
    const: valueOf,
    multipleOf: () => 1 + below(3),
    maximum: () => Number(pick(NUMBERS)),
    exclusiveMaximum: () => Number(pick(NUMBERS)),
    minimum: () => Number(pick(NUMBERS)),
    exclusiveMinimum: () => Number(pick(NUMBERS)),
    maxLength: () => below(3),
    minLength: () => below(3),
    maxItems: () => below(3),
    minItems: () => below(3),
    uniqueItems: () => below(3) > 0,
    maxProperties: () => below(3),
    minProperties: () => below(3),
    required: names,
    dependentRequired: () => Object.fromEntries(some(() => [pick(NAMES), names()])),
    pattern: () => pick(PATTERNS),
    propertyNames: (depth) => schemaOf(depth),
    properties: (depth) => map(depth, NAMES),
    patternProperties: (depth) => map(depth, PATTERNS),
    additionalProperties: (depth) => schemaOf(depth),
    items: (depth) => schemaOf(depth),
    prefixItems: (depth) => some(() => schemaOf(depth), 1),
    contains: (depth) => schemaOf(depth),
    minContains: () => below(3),
    maxContains: () => below(3),
    allOf: (depth) => some(() => schemaOf(depth), 1),
    anyOf: (depth) => some(() => schemaOf(depth), 1),
    oneOf: (depth) => some(() => schemaOf(depth), 1),
    not: (depth) => schemaOf(depth),
    if: (depth) => schemaOf(depth),
    // A keyword of JSON Schema; this object is never awaited.
    // oxlint-disable-next-line unicorn/no-thenable
    then: (depth) => schemaOf(depth),
    else: (depth) => schemaOf(depth),
    dependentSchemas: (depth) => map(depth, NAMES),
    unevaluatedItems: (depth) => schemaOf(depth),
    unevaluatedProperties: (depth) => schemaOf(depth),
    $ref: () => '#/$defs/some',
  };

  function schemaOf(depth: number, least = 0): unknown {
    if (least === 0 && below(8) === 0) return below(4) > 0;
    const made: Record<string, unknown> = {};
    for (const make of some(() => pick(Object.entries(keywords)), 1 + least)) {
      const [name, valueFor] = make;
      if (depth > 0 || valueFor.length === 0) made[name] = valueFor(depth - 1);
    }
    return made;
  }
  const root = schemaOf(3, 2) as Record<string, unknown>;
  const definition = JSON.stringify(schemaOf(1)).replaceAll('"$ref":', '"$comment":');
  // No cycle: the definition refers to nothing.
  root['$defs'] = { some: JSON.parse(definition) as unknown };
  return { schema: root, text: textOf(3) };
}

const multiplied = {
  $ref: '#/$defs/d14',
  $defs: Object.fromEntries(
    Array.from({ length: 15 }, (_, i) => [`d${i}`, i === 0 ? {} : { anyOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] }]),
  ),
};

const byHand: [schema: object, text: string][] = [
  [{}, '1'],
  [{}, '[1,'],
  [{ not: {} }, '"a"'],
  [{ const: 9007199254740992 }, '9007199254740993'],
  [{ const: 0.1 }, '0.10000000000000000001'],
  [{ const: 0.1 }, '1.0e-1'],
  [{ const: 0 }, '-0.0e5'],
  [{ type: 'integer' }, '1e400'],
  [{ type: 'integer' }, '150e-1'],
  [{ maximum: 0.3 }, '0.3000000000000000000000000001'],
  [{ minimum: -1e300 }, '-1.01e300'],
  [{ exclusiveMaximum: 1e21 }, '999999999999999999999'],
  [{ multipleOf: 7 }, '1000000000000000000000000000007'],
  [{ multipleOf: 7 }, '7000000000000000000000000000007e3'],
  [{ uniqueItems: true }, '[1,1.00]'],
  [{ uniqueItems: true }, '[{"a":[1,"x"],"b":2},{"b":2.0,"a":[1,"x"]}]'],
  [{ enum: [[1, { a: 'é' }], null] }, '[1.0,{"a":"\\u00e9"}]'],
  [{ maxLength: 1 }, String.raw`"\ud83d\ude00"`],
  [{ minLength: 2 }, String.raw`"\ud83d"`],
  [{ maxLength: 200 }, JSON.stringify('\u{1f600}'.repeat(201))],
  [{ properties: { 10: { type: 'string' }, 9: { type: 'string' } } }, '{"10":1,"9":1}'],
  [{ patternProperties: { '10': { const: 1 }, '9': { const: 2 } } }, '{"109":3}'],
  [{}, '{"a":1,"b":2,"a":3}'],
  [{ additionalProperties: { const: 3 } }, '{"a":1,"b":3,"a":3}'],
  [{ pattern: '^(a+)+$' }, JSON.stringify(`${'a'.repeat(200)}!`)],
  [{ pattern: 'a[ab]{40}[^ab]' }, JSON.stringify('ab'.repeat(100))],
  [{ pattern: '((a?)*?)*b|(?:)|x{0}$' }, '"aaaa"'],
  [{ pattern: String.raw`^[\W\d-]+$` }, '"-1\\u2028\\ud83d\\ude00"'],
  [{ pattern: '^[a-]b$|^a$b' }, '"-b"'],
  [{}, `[1,{"a/b":${'1'.repeat(401)}}]`],
  [{}, '[1,{"a~b":1e401}]'],
  [{}, '1e-00401'],
  [{}, '[1e401,'],
  [{}, '{"a":1e401,"a":1}'],
  [{ pattern: '(?=a)' }, '1'],
  [{ items: { pattern: String.raw`a\sb` } }, '1'],
  [{ patternProperties: { '((a{1,99}){1,99}){1,99}': true } }, '1'],
  [{ pattern: 'a{1001}' }, '1'],
  [{ pattern: '(){0,1000}'.repeat(20) }, '1'],
  [{ pattern: '[a--b]' }, '1'],
  [{ $ref: '#' }, '1'],
  [{ $ref: '#/$defs/a' }, '1'],
  [{ $defs: { a: { not: { $ref: '#/$defs/b' } }, b: { items: { $ref: '#/$defs/a' } } } }, '1'],
  [{ required: ['a', 'a'] }, '1'],
  [{ multipleOf: 0.5 }, '1'],
  [{ definitions: {} }, '1'],
  [{ properties: { 'a/b': { minimum: 'x' } } }, '1'],
  [{ allOf: [true, { anyOf: [] }] }, '1'],
  [{ dependentSchemas: { $a: true } }, '1'],
  [multiplied, '1'],
];

export function judgeVectors(): unknown {
  const cases = [
    ...byHand.map(([schema, text]) => ({ schema, text })),
    ...Array.from({ length: 400 }, (_, seed) => randomCase(seed)),
  ];
  const cheap = { schema: { items: { type: 'integer' } }, text: '[1,2,3]' };
  const { steps } = outcomeOf(cheap) as { steps: number };
  return {
    about:
      'JSON by JSON Schemas: the schema is canonical JSON, the text is judged. isMet, with path and message of the first violation, and the steps that judging takes; or the code and path of a refusal. mostSteps, if given, is the limit.',
    cases: [
      ...cases.map((one) => ({ ...one, ...outcomeOf(one) })),
      ...[steps, steps - 1].map((mostSteps) => ({ ...cheap, mostSteps, ...outcomeOf(cheap, mostSteps) })),
    ].map((one) => ({ ...one, schema: canonicalize(one.schema) })),
  };
}
