import { chainReplay, MAX_REPLAYED_BLOCKS, provableAcceptance, replayDigest, unjudgeableConditions, workScope, type Acceptance, type WorkScope } from '@netd/formats';
import { blockHash, canonicalize, sha256Hex, utf8Text, type BlockHeader } from '@netd/protocol';

const deliverable = '{"agents":3,"height":7}';

const scope = (acceptance: Acceptance[]): WorkScope => ({
  schema: 'NET-WORK-SCOPE/1',
  title: 'Describe the network',
  instructions: 'Write down how many agents there are, and at which height. Ünïcode is kept.',
  inputs: [
    {
      name: 'genesis',
      hash: sha256Hex('genesis'),
      mediaType: 'application/json',
      byteLength: 7,
    },
  ],
  deliverable: { mediaType: 'application/json', maxBytes: 64 },
  acceptance,
});

function headers(): BlockHeader[] {
  const made: BlockHeader[] = [];
  for (let height = 5; height <= 7; height++) {
    const before = made.at(-1);
    made.push({
      schema: 'NET-BLOCK/1',
      chainId: 'net-vectors',
      epoch: 1,
      height,
      timestamp: `2026-01-01T00:00:0${height}.000Z`,
      previousBlockHash: before ? blockHash(before) : sha256Hex('block 4'),
      stateRoot: sha256Hex(`state ${height}`),
      transitionsRoot: sha256Hex(`transitions ${height}`),
      eventsRoot: sha256Hex(`events ${height}`),
      transitionCount: height,
      proposerId: 'validator',
      validatorSetHash: sha256Hex('validators'),
    });
  }
  return made;
}

export function workScopes(): unknown {
  const exact: Acceptance = { kind: 'sha256', hash: sha256Hex(deliverable) };
  const json: Acceptance = {
    kind: 'json-schema',
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { agents: { $ref: '#/$defs/count' }, height: { $ref: '#/$defs/count' } },
      required: ['agents', 'height'],
      additionalProperties: false,
      $defs: { count: { type: 'integer', minimum: 0 } },
    },
  };
  const review: Acceptance = { kind: 'review', question: 'Is it true?' };
  const replay: Acceptance = { kind: 'chain-replay', from: 5, to: 7 };
  const digest = chainReplay.make(replayDigest(headers()));
  const digestText = utf8Text(digest.bytes);
  const judged = (name: string, acceptance: Acceptance[], cases: [string, string][], maxBytes = 64) => {
    const document = { ...scope(acceptance), deliverable: { mediaType: 'application/json', maxBytes } };
    const { hash, bytes } = workScope.make(document);
    return {
      name,
      text: utf8Text(bytes),
      hash,
      acceptanceHash: provableAcceptance(document).hash,
      deliverables: cases.map(([text, verdict]) => ({ text, verdict })),
    };
  };
  const text = utf8Text(workScope.make(scope([review])).bytes);
  const withSchema = (schema: object) =>
    canonicalize(scope([{ kind: 'json-schema', schema }]));
  const mebibyte = (schema: object) =>
    canonicalize({
      ...scope([{ kind: 'json-schema', schema }]),
      deliverable: { mediaType: 'application/json', maxBytes: 2 ** 20 },
    });
  const costly = mebibyte({ enum: ['x'.repeat(1_024)] });
  const half = { kind: 'json-schema' as const, schema: { enum: ['x'.repeat(512)] } };
  const several = canonicalize({
    ...scope([half, half]),
    deliverable: { mediaType: 'application/json', maxBytes: 2 ** 20 },
  });
  /** Nests schemas by references to a depth; each reference and its target count as parts. */
  const nested = (depth: number): object => {
    const $defs: Record<string, object> = {};
    for (let i = 1; i < (depth - 1) / 2; i++) $defs[`d${i}`] = { items: { $ref: `#/$defs/d${i + 1}` } };
    return { items: { $ref: '#/$defs/d1' }, $defs: { ...$defs, [`d${(depth - 1) / 2}`]: { type: 'string' } } };
  };
  /** 19,992 parts with references followed, and some more. */
  const parts = (more: number): object => ({
    allOf: [...Array.from({ length: 195 }, () => ({ $ref: '#/$defs/many' })), ...Array.from({ length: more }, () => true)],
    $defs: { many: { allOf: Array.from({ length: 100 }, () => true) } },
  });
  const emoji = (count: number) => ({ kind: 'json-schema' as const, schema: { const: '\u{1f600}'.repeat(count) } });
  return {
    about:
      'NET-WORK-SCOPE/1. valid: the text is canonical JSON, its SHA-256 is scopeHash, and acceptanceHash is that of its NET-ACCEPTANCE/1; each deliverable gets the verdict met, unmet or open, where chain-replay conditions are answered by the digest of replay. invalid: the code of the refusal. replay: NET-CHAIN-REPLAY/1 of block headers. judgeable: the conditions that verifiers with these means cannot judge.',
    valid: [
      judged('exactly these bytes', [exact], [
        [deliverable, 'met'],
        ['{"agents":3,"height":8}', 'unmet'],
      ]),
      judged('by a schema', [json], [
        [deliverable, 'met'],
        ['{ "agents": 3.0, "height": 7 }', 'met'],
        ['{"agents":3}', 'unmet'],
        ['{"agents":-3,"height":7}', 'unmet'],
        ['{"agents":3,"height":7,"x":1}', 'unmet'],
        ['not JSON', 'unmet'],
        [`{"agents":3,"height":7${' '.repeat(64)}}`, 'unmet'],
      ]),
      judged('by a pattern', [{ kind: 'json-schema', schema: { pattern: String.raw`^[a-z_-]\w{2,5}?(?:\W|\.|[^\d"])$` } }], [
        ['"abc!"', 'met'],
        ['"-bcdef\u00e9"', 'met'],
        ['"_\u0661bc."', 'unmet'],
        ['"abc7"', 'unmet'],
        ['"ab!"', 'unmet'],
        ['"abcd\\n"', 'met'],
        ['"abcd!\\n"', 'unmet'],
        ['7', 'met'],
      ]),
      judged('by a multiple', [{ kind: 'json-schema', schema: { multipleOf: 10 } }], [
        ['20', 'met'],
        ['-1e1', 'met'],
        ['0', 'met'],
        ['20.0', 'met'],
        ['25', 'unmet'],
        ['0.5', 'unmet'],
        ['9007199254740990', 'met'],
        ['9007199254741000', 'met'],
        ['123456789012345680000', 'met'],
        ['123456789012345680001', 'unmet'],
        ['"25"', 'met'],
      ]),
      judged('by a pattern that just does not cost too much', [{ kind: 'json-schema', schema: { pattern: 'a{62}' } }], [[`"${'a'.repeat(62)}"`, 'met'], ['"a"', 'unmet']], 2 ** 20),
      judged('by many members', [{ kind: 'json-schema', schema: { properties: Object.fromEntries(Array.from({ length: 2_500 }, (_, i) => [`p${i}`, { type: 'string' }])) } }], [
        ['{"p0":"a","p2499":"b"}', 'met'],
        ['{"p2499":1}', 'unmet'],
        ['{"p2500":1}', 'met'],
      ]),
      judged('by as many parts as there may be', [{ kind: 'json-schema', schema: parts(8) }], [['1', 'met']]),
      judged('by schemas that nest as deep as they may', [{ kind: 'json-schema', schema: { ...nested(63), items: { not: (nested(63) as { items: object }).items } } }], [
        ['[]', 'met'],
        [`${'['.repeat(31)}1${']'.repeat(31)}`, 'met'],
        [`${'['.repeat(31)}"a"${']'.repeat(31)}`, 'unmet'],
      ], 100),
      judged('by signs beyond the basic plane', [emoji(503)], [['"a"', 'unmet']], 2 ** 20),
      // A keyword of JSON Schema, in an object that is never awaited.
      // oxlint-disable-next-line unicorn/no-thenable
      judged('by what contains, evaluates and excludes', [{ kind: 'json-schema', schema: { contains: { type: 'string' }, unevaluatedItems: { type: 'integer' }, if: { minItems: 3 }, then: { prefixItems: [true] } } }], [
        ['[]', 'unmet'],
        ['["a"]', 'met'],
        ['["a",1]', 'met'],
        ['["a",null]', 'unmet'],
        ['[null,"a"]', 'unmet'],
        ['[null,"a",1]', 'met'],
        ['{}', 'met'],
      ]),
      judged('by judgement', [json, review], [
        [deliverable, 'open'],
        ['{}', 'unmet'],
      ]),
      judged(
        'by replay',
        [replay],
        [
          [digestText, 'met'],
          [digestText.replace('"from":5', '"from":4'), 'unmet'],
          [`${digestText} `, 'unmet'],
        ],
        1_000,
      ),
    ],
    invalid: [
      ['not canonical', text.replace(',', ', '), 'DOCUMENT_NOT_CANONICAL'],
      ['a member twice', text.replace('{', '{"acceptance":[],'), 'DOCUMENT_NOT_CANONICAL'],
      ['not JSON', text.slice(1), 'DOCUMENT_NOT_JSON'],
      ['nests too deep', `{"x":${'['.repeat(64)}${']'.repeat(64)}}`, 'DOCUMENT_NOT_JSON'],
      ['another schema', text.replace('SCOPE/1', 'SCOPE/2'), 'DOCUMENT_INVALID'],
      ['an unknown member', text.replace('"title"', '"title":"x","titlf"'), 'DOCUMENT_INVALID'],
      ['no condition', canonicalize(scope([])), 'SCOPE_UNJUDGEABLE'],
      ['a hash in capitals', text.replace(sha256Hex('genesis'), 'A'.repeat(64)), 'DOCUMENT_INVALID'],
      ['a range backwards', canonicalize(scope([{ kind: 'chain-replay', from: 7, to: 5 }])), 'SCOPE_UNJUDGEABLE'],
      ['a remote reference', withSchema({ $ref: 'https://example.org/s' }), 'SCOPE_UNJUDGEABLE'],
      ['schemas that nest deeper than they may', withSchema(nested(65)), 'SCOPE_UNJUDGEABLE'],
      ['a schema with too many parts', withSchema(parts(9)), 'SCOPE_UNJUDGEABLE'],
      ['signs beyond the basic plane that count twice', mebibyte(emoji(504).schema), 'SCOPE_UNJUDGEABLE'],
      ['a cycle', withSchema({ items: { $ref: '#' } }), 'SCOPE_UNJUDGEABLE'],
      ['an unknown keyword', withSchema({ instanceof: 'Date' }), 'SCOPE_UNJUDGEABLE'],
      ['a look-ahead', withSchema({ pattern: '(?=a)b' }), 'SCOPE_UNJUDGEABLE'],
      ...[
        String.raw`\s`, String.raw`\b`, String.raw`\Qa\E`, String.raw`\p{L}`, String.raw`(a)\1`, String.raw`\x41`, String.raw`\<`, String.raw`[\d-a]`,
        '(?i)a', '(?<n>a)', '[a&&b]', '[b-a]', '[^]', '[]a]', '[a', '[^^]', '[[:alpha:]]', 'a**', '*', '^*', 'a{2,1}', 'a{,2}', 'a{1001}',
        '(?:a{10}){101}', ']', '{', '(', ')', 'a'.repeat(513),
      ].map((pattern) => [`the pattern ${pattern.slice(0, 16)}`, withSchema({ pattern }), 'SCOPE_UNJUDGEABLE'] as const),
      ['a multiple of a fraction', withSchema({ multipleOf: 0.1 }), 'SCOPE_UNJUDGEABLE'],
      ['a pattern that costs too much for so long a deliverable', mebibyte({ pattern: 'a{63}' }), 'SCOPE_UNJUDGEABLE'],
      ['a type that is none', withSchema({ type: 'objekt' }), 'SCOPE_UNJUDGEABLE'],
      ['a keyword of the wrong form', withSchema({ items: { minLength: 'x' } }), 'SCOPE_UNJUDGEABLE'],
      ['a broken schema that nothing refers to', withSchema({ $defs: { a: { type: 'objekt' } } }), 'SCOPE_UNJUDGEABLE'],
      ['an enum without a value', withSchema({ enum: [] }), 'SCOPE_UNJUDGEABLE'],
      ['a member that only some readers see', withSchema(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}')), 'SCOPE_UNJUDGEABLE'],
      ['an unknown kind', canonicalize(scope([review, { kind: 'jsonschema', schema: {} } as never])), 'SCOPE_UNJUDGEABLE'],
      ['a condition without what it says', canonicalize(scope([{ kind: 'json-schema' } as never])), 'SCOPE_UNJUDGEABLE'],
      ['a schema that costs too much for so long a deliverable', costly, 'SCOPE_UNJUDGEABLE'],
      ['schemas that together cost too much', several, 'SCOPE_UNJUDGEABLE'],
    ].map(([name, bad, code]) => ({ name, text: bad, code })),
    replay: { headers: headers(), text: digestText, hash: digest.hash },
    judgeable: (
      [
        ['programs judge bytes and schemas', [exact, json], 9, false],
        ['programs answer no question', [json, review], 9, false],
        ['others answer a question', [json, review], 9, true],
        ['blocks that exist', [replay], 7, false],
        ['a block that does not exist yet', [replay], 6, true],
        ['as many blocks as are replayed', [{ kind: 'chain-replay', from: 1, to: MAX_REPLAYED_BLOCKS }], 1_000, false],
        ['a block more', [review, { kind: 'chain-replay', from: 0, to: MAX_REPLAYED_BLOCKS }], 1_000, true],
      ] as const
    ).map(([name, acceptance, height, answersQuestions]) => {
      const means = { height, answersQuestions };
      return { name, acceptance, ...means, unjudgeable: unjudgeableConditions({ acceptance: [...acceptance] }, means) };
    }),
  };
}
