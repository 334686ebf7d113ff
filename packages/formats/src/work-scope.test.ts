import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockHash, canonicalize, sha256Hex, utf8Bytes, type BlockHeader } from '@netd/protocol';
import { replayDigest, chainReplay } from './chain-replay.ts';
import { judge } from './judge.ts';
import { refuses } from './testing/refusal.ts';
import { workScope, type Acceptance, type WorkScope } from './work-scope.ts';

const HASH = 'ab'.repeat(32);

function scope(acceptance: Acceptance[], members: Partial<WorkScope> = {}): WorkScope {
  return {
    schema: 'NET-WORK-SCOPE/1',
    title: 'Digest some blocks',
    instructions: 'Replay them.',
    inputs: [{ name: 'genesis', hash: HASH, mediaType: 'application/json', byteLength: 0 }],
    deliverable: { mediaType: 'application/json', maxBytes: 1_000 },
    acceptance,
    ...members,
  };
}

const review: Acceptance = { kind: 'review', question: 'Is it well written?' };

test('a scope that breaks its schema names the member', async () => {
  const broken: [string, Partial<Record<keyof WorkScope, unknown>>][] = [
    ['/title', { title: '' }],
    [
      '/inputs/0/hash',
      { inputs: [{ name: 'x', hash: HASH.toUpperCase(), mediaType: 'a/b', byteLength: 1 }] },
    ],
    [
      '/inputs/0/mediaType',
      { inputs: [{ name: 'x', hash: HASH, mediaType: 'text/plain; x=y', byteLength: 1 }] },
    ],
    ['/deliverable/maxBytes', { deliverable: { mediaType: 'a/b', maxBytes: 0 } }],
    ['/instructions', { instructions: 'x'.repeat(32_769) }],
  ];
  for (const [path, members] of broken) {
    const document = scope([review], members as Partial<WorkScope>);
    await refuses('DOCUMENT_INVALID', () => workScope.make(document), path);
  }
});

test('unjudgeable conditions are refused when the scope is made and when it is read', async () => {
  const hostile = scope([review, { kind: 'json-schema', schema: { $ref: 'http://x/' } }]);
  const path = '/acceptance/1/schema/$ref';
  await refuses('SCOPE_UNJUDGEABLE', () => workScope.make(hostile), path);
  const cases: [string, unknown[]][] = [
    ['/acceptance', []],
    ['/acceptance/0/to', [{ kind: 'chain-replay', from: 3, to: 2 }]],
    ['/acceptance/1/kind', [review, { kind: 'jsonschema', schema: { type: 'object' } }]],
    ['/acceptance/0/kind', [{}]],
    ['/acceptance/0', ['sha256']],
    ['/acceptance/0/schema', [{ kind: 'json-schema' }]],
    ['/acceptance/0/question', [{ kind: 'review', question: '' }]],
    ['/acceptance/0/schema/type', [{ kind: 'json-schema', schema: { type: 'objekt' } }]],
  ];
  for (const [at, acceptance] of cases) {
    const broken = scope(acceptance as Acceptance[]);
    await refuses('SCOPE_UNJUDGEABLE', () => workScope.make(broken), at);
    const bytes = utf8Bytes(canonicalize(broken));
    await refuses('SCOPE_UNJUDGEABLE', () => workScope.read(bytes), at);
  }
});

test('a schema that would cost too much for the longest deliverable is refused when it is offered', async () => {
  const schema = { enum: ['x'.repeat(1_024)] };
  const long = { deliverable: { mediaType: 'application/json', maxBytes: 2 ** 20 } };
  const costly = scope([{ kind: 'json-schema', schema }], long);
  await refuses('SCOPE_UNJUDGEABLE', () => workScope.make(costly), '/acceptance/0/schema');
  workScope.make(scope([{ kind: 'json-schema', schema }]));
});

test('a scope is read as it was made', () => {
  const document = scope([review, { kind: 'json-schema', schema: { type: 'object' } }]);
  const { hash, bytes } = workScope.make(document);
  assert.deepEqual(workScope.read(bytes, hash), document);
});

test('a program judges bytes, JSON and replays, and leaves questions open', async () => {
  const text = '{"height":3}';
  const bytes = utf8Bytes(text);
  const verdictOf = async (...acceptance: Acceptance[]) =>
    (await judge(scope(acceptance), bytes)).verdict;
  const exact: Acceptance = { kind: 'sha256', hash: sha256Hex(text) };
  const other: Acceptance = { kind: 'sha256', hash: HASH };
  const json: Acceptance = { kind: 'json-schema', schema: { required: ['height'] } };
  assert.equal(await verdictOf(other), 'unmet');
  assert.equal(await verdictOf(exact, json), 'met');
  assert.equal(await verdictOf(exact, review), 'open');
  assert.equal(await verdictOf(review, other), 'unmet', 'one that is not met decides');
  assert.equal(await verdictOf({ kind: 'json-schema', schema: { required: ['x'] } }), 'unmet');
  // A caller may pass any object; broken conditions are never met.
  assert.equal(await verdictOf({ kind: 'json-schema', schema: { $ref: 'http://x/' } }), 'unmet');
  assert.equal(await verdictOf({ kind: 'json-schema', schema: { type: 'objekt' } }), 'unmet');
  assert.equal(await verdictOf({ kind: 'jsonschema' } as never), 'unmet');
});

test('a deliverable padded until it costs too much to judge is unmet', async () => {
  const long = { deliverable: { mediaType: 'application/json', maxBytes: 2 ** 23 } };
  const schema = { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string' } } };
  const asked = scope([{ kind: 'json-schema', schema }], long);
  const { verdict, conditions } = await judge(asked, utf8Bytes(`{}${' '.repeat(2 ** 23 - 2)}`));
  assert.equal(verdict, 'unmet', JSON.stringify(conditions));
});

test('a deliverable that is too long or not JSON is unmet', async () => {
  const json = scope([{ kind: 'json-schema', schema: {} }]);
  assert.equal((await judge(json, utf8Bytes('{'))).verdict, 'unmet');
  assert.equal((await judge(json, Uint8Array.of(0xff))).verdict, 'unmet');
  assert.equal((await judge(json, utf8Bytes('['.repeat(500)))).verdict, 'unmet');
  const { verdict, conditions } = await judge(json, new Uint8Array(1_001));
  assert.deepEqual([verdict, conditions[0]?.kind], ['unmet', 'size']);
});

function headers(count: number): BlockHeader[] {
  const made: BlockHeader[] = [];
  for (let height = 5; height < 5 + count; height++) {
    const before = made.at(-1);
    made.push({
      schema: 'NET-BLOCK/1',
      chainId: 'net-test',
      epoch: 1,
      height,
      timestamp: '2026-01-01T00:00:00.000Z',
      previousBlockHash: before ? blockHash(before) : HASH,
      stateRoot: sha256Hex(`state ${height}`),
      transitionsRoot: HASH,
      eventsRoot: HASH,
      transitionCount: height,
      proposerId: 'validator',
      validatorSetHash: HASH,
    });
  }
  return made;
}

test('a replay condition is judged by replaying, and stays open if that is impossible', async () => {
  const digest = replayDigest(headers(3));
  const { bytes } = chainReplay.make(digest);
  const asked = scope([{ kind: 'chain-replay', from: 5, to: 7 }]);
  const replay = (stateRoot: string) => async () => ({ ...digest, stateRoot });
  assert.equal((await judge(asked, bytes)).verdict, 'open');
  assert.equal((await judge(asked, bytes, { replay: async () => null })).verdict, 'open');
  assert.equal((await judge(asked, bytes, { replay: replay(HASH) })).verdict, 'unmet');
  assert.equal((await judge(asked, bytes, { replay: replay(digest.stateRoot) })).verdict, 'met');
});

test('blocks that do not follow each other have no digest', () => {
  assert.throws(() => replayDigest([]), RangeError);
  assert.throws(() => replayDigest(headers(3).toReversed()), RangeError);
  assert.throws(() => replayDigest(headers(3).toSpliced(1, 1)), RangeError);
  const { from, to, transitionCount } = replayDigest(headers(3));
  assert.deepEqual([from, to, transitionCount], [5, 7, 18]);
});
