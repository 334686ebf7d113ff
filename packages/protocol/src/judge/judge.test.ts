import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { checkSchema, judgeBySchema, judging, MAX_SCHEMA_DEPTH, Meter } from './index.ts';
import { JudgeError, type JudgeErrorCode } from './judge-error.ts';

function verdictOf(schema: unknown, value: unknown) {
  const text = JSON.stringify(value);
  return judgeBySchema(schema, text, text.length, new Meter());
}
const conforms = (schema: object, value: unknown): boolean => verdictOf(schema, value).isMet;

/** @param path checked if given */
function refuses(code: JudgeErrorCode, work: () => unknown, path?: string): void {
  assert.throws(work, (error) => {
    assert.ok(error instanceof JudgeError, String(error));
    assert.deepEqual([error.code, path === undefined ? '' : error.path], [code, path ?? '']);
    return true;
  });
}

test('schemas that reach outside, or that only some validators know, are refused', () => {
  const hostile: [string, object][] = [
    ['/$ref', { $ref: 'https://example.org/schema.json' }],
    ['/$ref', { $ref: 'file:///etc/passwd' }],
    ['/$ref', { $ref: '#anchor' }],
    ['/$ref', { $ref: '#/$defs/absent' }],
    ['/$ref', { $ref: '#/__proto__' }],
    ['/$defs', { $defs: { $id: { type: 'string' } }, items: { $ref: '#/$defs/$id' } }],
    ['/dependentSchemas', { dependentSchemas: { $anchor: {} } }],
    ['/$ref', { $ref: '#/$defs/ ', $defs: { ' ': false } }],
    ['/$id', { $id: 'https://example.org/' }],
    ['/$dynamicRef', { $dynamicRef: '#x' }],
    ['/$anchor', { $anchor: 'x' }],
    ['/$async', { $async: true }],
    ['/$vocabulary', { $vocabulary: {} }],
    ['/$schema', { $schema: 'http://json-schema.org/draft-07/schema#' }],
    ['/definitions', { definitions: {} }],
    ['/properties/a/instanceof', { properties: { a: { instanceof: 'Date' } } }],
    ['/allOf', { allOf: {} }],
    ['/items', { items: 1 }],
  ];
  for (const [path, schema] of hostile) {
    refuses('schema', () => checkSchema(schema), path);
  }
  for (const schema of [null, true, [], 'x']) {
    refuses('schema', () => checkSchema(schema));
  }
});

test('cycles are refused, wherever they begin', () => {
  refuses('schema', () => checkSchema({ $ref: '#' }));
  const mutual = {
    $defs: { a: { not: { $ref: '#/$defs/b' } }, b: { items: { $ref: '#/$defs/a' } } },
  };
  refuses('schema', () => checkSchema(mutual));
});

test('references that multiply are counted before anything is compiled', () => {
  const $defs: Record<string, object> = { d0: { type: 'string' } };
  for (let i = 1; i <= 40; i++) {
    const $ref = `#/$defs/d${i - 1}`;
    $defs[`d${i}`] = { anyOf: [{ $ref }, { $ref }] };
  }
  const bomb = { $ref: '#/$defs/d40', $defs };
  refuses('cost', () => checkSchema(bomb));
  // Repetitions of nothing would make half a gigabyte of instructions before the first step.
  const repeated = { pattern: '(){0,1000}'.repeat(20) };
  refuses('cost', () => checkSchema(repeated));
});

test('patterns that only backtracking can match are refused, catastrophic ones are harmless', () => {
  for (const pattern of [
    '(?=a)',
    '(a)\\1',
    '(?<!a)b',
    '(',
    'a'.repeat(513),
    '((a{1,99}){1,99}){1,99}',
  ]) {
    refuses('pattern', () => checkSchema({ pattern }));
    const patternProperties = { [pattern]: true };
    refuses('pattern', () => checkSchema({ patternProperties }));
  }
  refuses('pattern', () => checkSchema({ items: { pattern: String.raw`a\sb` } }), '/items/pattern');
  // A backtracking engine would hang here.
  const long = `${'a'.repeat(50_000)}!`;
  assert.equal(conforms({ type: 'string', pattern: '^(a+)+$' }, long), false);
  assert.equal(conforms({ patternProperties: { '^(a|a)*$': false } }, { [long]: 1 }), true);
});

test('a judgement that would cost too much is refused', () => {
  const schema = { items: { enum: Array.from({ length: 2_000 }, (_, i) => `value ${i}`) } };
  refuses('cost', () => judgeBySchema(schema, '[]', 1_000_000, new Meter()), '');
  const meter = new Meter();
  judgeBySchema({ items: { type: 'integer' } }, '[1,2,3]', 7, meter);
  const again = (most: number): unknown =>
    judgeBySchema({ items: { type: 'integer' } }, '[1,2,3]', 7, new Meter(most));
  again(meter.steps);
  refuses('cost', () => again(meter.steps - 1), '');
});

test('numbers are exact decimals of bounded length', () => {
  const cases: [schema: object, text: string, isMet: boolean][] = [
    [{ const: 9007199254740992 }, '9007199254740993', false],
    [{ const: 0.1 }, '0.10000000000000000001', false],
    [{ const: 0.1 }, '1.0e-1', true],
    [{ const: 0 }, '-0.0e5', true],
    [{ type: 'integer' }, '1e400', true],
    [{ type: 'integer' }, '1.5', false],
    [{ type: 'integer' }, '150e-1', true],
    [{ maximum: 0.3 }, '0.3000000000000000000000000001', false],
    [{ exclusiveMaximum: 1e300 }, '9.9e299', true],
    [{ minimum: -1e300 }, '-1.01e300', false],
    [{ minimum: -5 }, '-5.000', true],
    [{ multipleOf: 10 }, '9007199254741000', true],
    [{ multipleOf: 7 }, '1e30', false],
    [{ uniqueItems: true }, '[1,1.00]', false],
    [{ uniqueItems: true }, '[9007199254740992,9007199254740993]', true],
    [{ maximum: 1 }, `0.${'1'.repeat(399)}`, true],
  ];
  for (const [schema, text, expected] of cases) {
    const { isMet } = judgeBySchema(schema, text, text.length, new Meter());
    assert.equal(isMet, expected, `${JSON.stringify(schema)} ${text}`);
  }
  for (const text of [
    `[1,{"a/b":${'1'.repeat(401)}}]`,
    '[1,{"a/b":1e401}]',
    '[0,{"a/b":1e-00401}]',
    '[0,{"a/b":0,"a/b":1e401}]',
  ])
    refuses('number', () => judgeBySchema({}, text, text.length, new Meter()), '/1/a~1b');
  // A later member replaces the number.
  refuses('number', () => judgeBySchema({}, '{"a":1e401,"a":1}', 17, new Meter()), '');
});

test('only JSON is judged', () => {
  const texts = ['', '01', '1.', '.5', '+1', 'nul', '[1,]', '{"a":1,}', '{a:1}', '"\t"', String.raw`"\x"`, '"', '[', '1 2', '\ufeff1', 'NaN', '[1e401,', '[1e401]]', `${'['.repeat(65)}${']'.repeat(65)}`]; // prettier-ignore
  for (const text of texts) {
    const { isMet, message } = judgeBySchema({}, text, 1, new Meter());
    assert.deepEqual([isMet, /not JSON/.test(message)], [false, true], text);
  }
  const well = String.raw` [ 1 , "\ud83d\ude00" , { "a" : null , "a" : true } , -0.5E+2 ] `;
  const schema = { const: [1, '\u{1f600}', { a: true }, -50] };
  assert.equal(judgeBySchema(schema, well, 1, new Meter()).isMet, true);
});

test('a schema that no JSON text has is refused like any other', () => {
  const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
  for (const schema of [{ const: '\ud800' }, { properties: { '\ud800': true } }, { const: deep }]) {
    refuses('schema', () => checkSchema(schema), '');
  }
});

test('many items are compared in one pass', () => {
  const items = Array.from({ length: 100_000 }, (_, i) => ({ i }));
  assert.equal(conforms({ uniqueItems: true }, items), true);
  assert.equal(
    conforms({ uniqueItems: true }, [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ]),
    false,
  );
  const alike = [['a', '"1:b'], ['a,"3:"1:b'], ['a,"1:b'], ['\u0001'], ['\\u0001'], '1', 1];
  assert.equal(conforms({ uniqueItems: true }, alike), true);
  assert.equal(conforms({ uniqueItems: true }, [...alike, ['\u0001']]), false);
  assert.equal(conforms({ uniqueItems: false }, [1, 1]), true);
});

test('a missing item of a large list is found without keeping an error per item', async () => {
  const text = { anyOf: [{ $ref: '#/$defs/text' }, { type: 'null' }] };
  const schema = { contains: text, $defs: { text: { type: 'string' } } };
  const judge = `
    const { workerData, parentPort } = require('node:worker_threads');
    import(workerData.url).then(({ judgeBySchema, Meter }) => {
      const text = JSON.stringify(Array.from({ length: 200_000 }, () => 1));
      const { isMet } = judgeBySchema(workerData.schema, text, text.length, new Meter());
      parentPort.postMessage(isMet);
    });`;
  // The heap is small, because measuring would count garbage. Two errors per item would take 50 MB.
  const worker = new Worker(judge, {
    eval: true,
    workerData: { url: new URL('index.ts', import.meta.url).href, schema },
    resourceLimits: { maxOldGenerationSizeMb: 25 },
  });
  assert.deepEqual(await once(worker, 'message'), [false]);
  await worker.terminate();
  const items = Array.from({ length: 200_000 }, () => 1);
  assert.equal(conforms(schema, [...items, 'a']), true);
  const { path, message } = verdictOf({ items: { contains: { const: 2 } } }, [[1, 2], [1]]);
  assert.deepEqual([path, message], ['/1', 'must contain at least 1 valid item(s)']);
});

test('a malformed keyword anywhere is refused when the schema is written', () => {
  for (const broken of [{ minLength: 'x' }, { type: 'objekt' }, { enum: [] }, { required: 'a' }]) {
    for (const schema of [broken, { not: broken }, { $defs: { unused: broken } }]) {
      refuses('schema', () => checkSchema(schema));
      refuses('schema', () => verdictOf(schema, ''));
    }
  }
});

test('a plain schema judges as 2020-12 says', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { height: { $ref: '#/$defs/height' }, names: { prefixItems: [{ const: 'x' }] } },
    required: ['height'],
    unevaluatedProperties: false,
    $defs: { height: { type: 'integer', minimum: 0 } },
  };
  assert.equal(conforms(schema, { height: 1, names: ['x', 2] }), true);
  for (const value of [
    {},
    { height: -1 },
    { height: '1' },
    { height: 1, names: ['y'] },
    { height: 1, z: 1 },
    [],
  ]) {
    assert.equal(conforms(schema, value), false, JSON.stringify(value));
  }
  const { path, message } = verdictOf(schema, { height: -1 });
  assert.deepEqual([path, message], ['/height', 'must be >= 0']);
  assert.equal(conforms({ required: ['__proto__'] }, {}), false, 'only own members count');
});

/** CPU milliseconds, the minimum of three runs. */
function cpuOf(run: () => unknown): number {
  const tries: number[] = [];
  for (let i = 0; i < 3; i++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    tries.push((user + system) / 1_000);
  }
  return Math.min(...tries);
}

test('a schema takes time in proportion to its length', () => {
  const judged = (count: number): number =>
    cpuOf(() => {
      const names = Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'string' }]);
      return verdictOf({ properties: Object.fromEntries(names) }, { p1: 'a' });
    });
  judged(200);
  const [short, long] = [judged(300), judged(4_800)];
  // 16 times the length; quadratic time would be 256 times.
  assert.ok(long < 64 * Math.max(short, 1), `${short} and ${long} ms`);
});

test('a schema that nests deeper than it may is refused, wherever its parts are', () => {
  let inside: object = {};
  for (let i = 1; i < MAX_SCHEMA_DEPTH; i++) inside = { not: inside };
  checkSchema(inside);
  refuses('schema', () => checkSchema({ not: inside }));
  // The second part is already known at the reference.
  const $defs = { a: inside, b: { not: { $ref: '#/$defs/a' } } };
  refuses('schema', () => checkSchema({ $defs }));
  let endless: object = {};
  for (let i = 0; i < 100_000; i++) endless = { not: endless };
  refuses('schema', () => checkSchema(endless));
});

test('a long judgement pauses, also within a text', () => {
  const text = JSON.stringify('ab'.repeat(10_000));
  const meter = new Meter();
  const job = judging({ pattern: 'a[ab]{40}[^ab]' }, text, text.length, meter);
  assert.equal(job.next().done, false);
  assert.ok(meter.steps < 200_000, `${meter.steps} steps before the first pause`);
});
