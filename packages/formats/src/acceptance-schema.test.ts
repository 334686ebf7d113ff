import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAcceptanceSchema, judgeBySchema, MAX_SCHEMA_DEPTH } from './acceptance-schema.ts';
import { refuses } from './testing/refusal.ts';

const met = async (schema: object, value: unknown): Promise<boolean> =>
  (await judgeBySchema(schema, value, JSON.stringify(value).length)).met;

test('schemas that reach outside, or that only some validators know, are refused', async () => {
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
    await refuses('SCOPE_UNJUDGEABLE', () => checkAcceptanceSchema(schema), path);
  }
  for (const schema of [null, true, [], 'x']) {
    await refuses('SCOPE_UNJUDGEABLE', () => checkAcceptanceSchema(schema));
  }
});

test('cycles are refused, wherever they begin', async () => {
  await refuses('SCOPE_UNJUDGEABLE', () => checkAcceptanceSchema({ $ref: '#' }));
  const mutual = {
    $defs: { a: { not: { $ref: '#/$defs/b' } }, b: { items: { $ref: '#/$defs/a' } } },
  };
  await refuses('SCOPE_UNJUDGEABLE', () => checkAcceptanceSchema(mutual));
});

test('references that multiply are counted before anything is compiled', async () => {
  const $defs: Record<string, object> = { d0: { type: 'string' } };
  for (let i = 1; i <= 40; i++) {
    const $ref = `#/$defs/d${i - 1}`;
    $defs[`d${i}`] = { anyOf: [{ $ref }, { $ref }] };
  }
  const bomb = { $ref: '#/$defs/d40', $defs };
  await refuses('SCOPE_UNJUDGEABLE', () => checkAcceptanceSchema(bomb));
});

test('patterns that only backtracking can match are refused, catastrophic ones are harmless', async () => {
  for (const pattern of [
    '(?=a)',
    '(a)\\1',
    '(?<!a)b',
    '(',
    'a'.repeat(513),
    '((a{1,99}){1,99}){1,99}',
  ]) {
    await refuses('SCOPE_UNJUDGEABLE', () => checkAcceptanceSchema({ pattern }));
    const patternProperties = { [pattern]: true };
    await refuses('SCOPE_UNJUDGEABLE', () => checkAcceptanceSchema({ patternProperties }));
  }
  await refuses(
    'SCOPE_UNJUDGEABLE',
    () => checkAcceptanceSchema({ items: { pattern: String.raw`a\sb` } }),
    '/items/pattern',
  );
  // A backtracking engine would hang here.
  const long = `${'a'.repeat(50_000)}!`;
  assert.equal(await met({ type: 'string', pattern: '^(a+)+$' }, long), false);
  assert.equal(await met({ patternProperties: { '^(a|a)*$': false } }, { [long]: 1 }), true);
});

test('a judgement that would cost too much is unmet', async () => {
  const schema = { items: { enum: Array.from({ length: 2_000 }, (_, i) => `value ${i}`) } };
  const verdict = await judgeBySchema(schema, [], 1_000_000);
  assert.equal(verdict.met, false);
  assert.match(verdict.reason, /costs too much/);
});

test('many items are compared in one pass', async () => {
  const items = Array.from({ length: 100_000 }, (_, i) => ({ i }));
  assert.equal(await met({ uniqueItems: true }, items), true);
  assert.equal(
    await met({ uniqueItems: true }, [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ]),
    false,
  );
  assert.equal(await met({ uniqueItems: false }, [1, 1]), true);
});

test('a missing item of a large list is found without keeping an error per item', async () => {
  const items = Array.from({ length: 200_000 }, () => 1);
  const text = { anyOf: [{ $ref: '#/$defs/text' }, { type: 'null' }] };
  const schema = { contains: text, $defs: { text: { type: 'string' } } };
  const before = process.memoryUsage().heapUsed;
  assert.equal((await judgeBySchema(schema, items, 400_001)).met, false);
  // Two errors per item would take 50 MB.
  assert.ok(process.memoryUsage().heapUsed - before < 40_000_000);
  assert.equal((await judgeBySchema(schema, [...items, 'a'], 400_005)).met, true);
  const { reason } = await judgeBySchema({ items: { contains: { const: 2 } } }, [[1, 2], [1]], 11);
  assert.match(reason, /^\/1 must contain at least 1 valid item/);
});

test('a malformed keyword anywhere is refused when the schema is written', async () => {
  for (const broken of [{ minLength: 'x' }, { type: 'objekt' }, { enum: [] }, { required: 'a' }]) {
    for (const schema of [broken, { not: broken }, { $defs: { unused: broken } }]) {
      await refuses('SCOPE_UNJUDGEABLE', () => checkAcceptanceSchema(schema));
      await refuses('SCOPE_UNJUDGEABLE', () => judgeBySchema(schema, '', 2));
    }
  }
});

test('a plain schema judges as 2020-12 says', async () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { height: { $ref: '#/$defs/height' }, names: { prefixItems: [{ const: 'x' }] } },
    required: ['height'],
    unevaluatedProperties: false,
    $defs: { height: { type: 'integer', minimum: 0 } },
  };
  assert.equal(await met(schema, { height: 1, names: ['x', 2] }), true);
  for (const value of [
    {},
    { height: -1 },
    { height: '1' },
    { height: 1, names: ['y'] },
    { height: 1, z: 1 },
    [],
  ]) {
    assert.equal(await met(schema, value), false, JSON.stringify(value));
  }
  assert.match((await judgeBySchema(schema, { height: -1 }, 13)).reason, /^\/height must be >= 0/);
  assert.equal(await met({ required: ['__proto__'] }, {}), false, 'only own members count');
});

/** CPU milliseconds, the minimum of three runs. */
async function cpuOf(run: () => Promise<unknown>): Promise<number> {
  const tries: number[] = [];
  for (let i = 0; i < 3; i++) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    tries.push((user + system) / 1_000);
  }
  return Math.min(...tries);
}

test('a schema takes time in proportion to its length', async () => {
  const judging = (count: number): Promise<number> =>
    cpuOf(() => {
      const names = Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'string' }]);
      return judgeBySchema({ properties: Object.fromEntries(names) }, { p1: 'a' }, 10);
    });
  await judging(200);
  const [short, long] = [await judging(300), await judging(4_800)];
  // 16 times the length; quadratic time would be 256 times.
  assert.ok(long < 64 * Math.max(short, 1), `${short} and ${long} ms`);
});

test('a schema that nests deeper than it may is refused, wherever its parts are', async () => {
  let inside: object = {};
  for (let i = 1; i < MAX_SCHEMA_DEPTH; i++) inside = { not: inside };
  checkAcceptanceSchema(inside);
  await refuses('SCOPE_UNJUDGEABLE', () => checkAcceptanceSchema({ not: inside }));
  // The second part is already known at the reference.
  const $defs = { a: inside, b: { not: { $ref: '#/$defs/a' } } };
  await refuses('SCOPE_UNJUDGEABLE', () => checkAcceptanceSchema({ $defs }));
  let endless: object = {};
  for (let i = 0; i < 100_000; i++) endless = { not: endless };
  await refuses('SCOPE_UNJUDGEABLE', () => checkAcceptanceSchema(endless));
});

test('other work goes on while a judgement is made, and a signal ends it without a verdict', async () => {
  const anyOf = [...Array.from({ length: 1_000 }, () => ({ type: 'string' })), { type: 'integer' }];
  const items = Array.from({ length: 1_000 }, () => 1);
  const order: string[] = [];
  const end = new AbortController();
  const dear = judgeBySchema({ items: { anyOf } }, items, 2_001).then(() => order.push('dear'));
  const ended = judgeBySchema({ items: { anyOf } }, items, 2_001, end.signal);
  const cheap = judgeBySchema({ type: 'string' }, 'a', 3).then(() => order.push('cheap'));
  end.abort(new Error('time is up'));
  await assert.rejects(ended, /time is up/);
  await Promise.all([dear, cheap]);
  assert.deepEqual(order, ['cheap', 'dear']);
});

test('a long text is matched in slices too', async () => {
  const text = 'ab'.repeat(100_000);
  const end = new AbortController();
  const judged = judgeBySchema({ pattern: 'a[ab]{40}[^ab]' }, text, text.length, end.signal);
  end.abort(new Error('time is up'));
  await assert.rejects(judged, /time is up/);
});
