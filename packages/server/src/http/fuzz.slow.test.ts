/** For any input, a node answers with a problem or a document, and stays fast. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beaconOf } from '@netd/ledger/testing';
import { canonicalize, type JsonObject } from '@netd/protocol';
import * as fc from 'fast-check';
import {
  assertProblemShape,
  HttpNode,
  parseRawAnswer,
  type Answer,
  textOf,
} from '@netd/testkit/http-node';

/** NET_FUZZ_SEED replays a run; every run prints its seed. */
const seed = Number(process.env['NET_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const settings = (milliseconds: number): fc.Parameters<unknown> => ({
  seed,
  numRuns: 100_000,
  interruptAfterTimeLimit: milliseconds,
  endOnFailure: false,
});

let node: HttpNode;
before(async () => {
  console.log(`fuzz seed ${seed}`);
  // Some requests look like those of a proxy, which degrades the health of a node that trusts none.
  node = await HttpNode.start({ trustProxy: 1 });
  await node.join('alice');
});
after(async () => {
  try {
    assert.equal((await node.get('/health')).body['status'], 'ok');
  } finally {
    await node.stop();
  }
});

function acceptable(answer: Answer): void {
  assert.ok(
    answer.status >= 200 && answer.status < 500,
    `${answer.status} ${answer.text.slice(0, 300)}`,
  );
  if (answer.status >= 400) assertProblemShape(answer);
}

const WRITES = ['/v1/agents/register', '/v1/intents', '/v1/intents:simulate'];

test('bodies of any bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...WRITES),
      fc.uint8Array({ maxLength: 400 }),
      async (path, bytes) => {
        const state = node.state();
        acceptable(await node.post(path, bytes));
        assert.deepEqual(node.state(), state);
      },
    ),
    settings(1_500),
  );
});

test('bodies of any JSON', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...WRITES), fc.json({ maxDepth: 6 }), async (path, text) => {
      acceptable(await node.post(path, text));
    }),
    settings(1_500),
  );
});

/** Sets or removes a value at a random place of an envelope, before or after it is signed. */
const change = fc.record({
  pick: fc.nat(),
  value: fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.maxSafeInteger(),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'alice',
      '',
      'x'.repeat(2_048),
      '🦊'.repeat(2_048),
      2 ** 53 - 1,
      -1,
      0,
    ),
  ),
  remove: fc.boolean(),
  signed: fc.boolean(),
  name: fc.option(
    fc.constantFrom('schema', 'action', 'payload', 'toString', 'agentId', 'constructor'),
    { nil: undefined },
  ),
});

function changed(
  object: JsonObject,
  {
    pick,
    value,
    remove,
    name,
  }: { pick: number; value: unknown; remove: boolean; name: string | undefined },
): JsonObject {
  const copy = structuredClone(object);
  const places: [JsonObject, string][] = [];
  const visit = (at: JsonObject): void => {
    for (const [key, inner] of Object.entries(at)) {
      places.push([at, key]);
      if (inner !== null && typeof inner === 'object' && !Array.isArray(inner)) visit(inner);
    }
  };
  visit(copy);
  const [at, key] = places[pick % places.length] ?? [copy, 'nonce'];
  if (remove) delete at[key];
  else at[name ?? key] = value as never;
  return copy;
}

test('envelopes with one thing wrong', async () => {
  let number = 0;
  const makes: (() => JsonObject)[] = [
    () => node.registration(`fuzzed-${++number}`, { description: 'x', referrerAgentId: 'alice' }),
    () =>
      node.intent('alice', 'publishBeacon', beaconOf('alice', node.height, { sequence: ++number })),
    () =>
      node.intent('alice', 'extendAgentCapabilities', {
        agentId: 'alice',
        actions: ['faucet', 'transfer'],
      }),
    () => node.intent('alice', 'transfer', { to: 'alice', amount: 1, memo: 'x' }),
    () =>
      node.intent('alice', 'setAgentRecovery', {
        agentId: 'alice',
        guardians: ['alice'],
        threshold: 1,
      }),
    () =>
      node.intent('alice', 'submitNodeHeartbeat', {
        agentId: 'alice',
        sequence: ++number,
        observedHeight: node.height,
        observedStateRoot: 'ab'.repeat(32),
        nodeVersion: '1',
      }),
    () => node.intent('operator', 'setAgentStatus', { agentId: 'alice', status: 'active' }),
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...makes),
      fc.constantFrom(...WRITES),
      change,
      async (make, path, what) => {
        let envelope = make();
        if (what.signed) {
          const { signature: _, ...unsigned } = changed(envelope, what);
          try {
            const actor = textOf(envelope, 'actorId');
            envelope = { ...unsigned, signature: signatureOf(actor, unsigned) };
          } catch {
            return; // A lone surrogate cannot be signed.
          }
        } else envelope = changed(envelope, what);
        acceptable(await node.post(path, JSON.stringify(envelope)));
      },
    ),
    settings(3_000),
  );
});

function signatureOf(actorId: string, unsigned: JsonObject): string {
  return node.keyOf(actorId).sign(Buffer.from(canonicalize(unsigned)));
}

test('paths and queries of any form', async () => {
  const word = fc.oneof(
    fc.constantFrom(
      'v1',
      'agents',
      'blocks',
      'state',
      'proof',
      'chunks',
      'events',
      '__proto__',
      'constructor',
      '..',
      '.',
      '',
      '0',
      '-1',
      '9007199254740993',
      'alice',
      '%00',
      '%2f',
      '%',
      'ab'.repeat(32),
    ),
    fc.string({ maxLength: 12 }).map(encodeURIComponent),
    fc.webSegment(),
  );
  const names = fc.constantFrom(
    'limit',
    'cursor',
    'after',
    'agent',
    'type',
    'order',
    'agentId',
    'capability',
    'protocol',
    'referrer',
    'key',
    'checkpoint',
    '__proto__',
  );
  const route = fc.constantFrom(
    '/v1/agents',
    '/v1/blocks',
    '/v1/events',
    '/v1/discovery',
    '/v1/referrals',
    '/v1/state/proof',
    '/v1/state/chunks/0',
    '/v1/accounts/alice',
  );
  const path = fc.oneof(
    route,
    fc.array(word, { maxLength: 5 }).map((words) => `/${words.join('/')}`),
  );
  const query = fc
    .array(fc.tuple(names, word), { maxLength: 4 })
    .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));
  const method = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH');
  await fc.assert(
    fc.asyncProperty(method, path, query, async (name, at, search) => {
      const answer = await node.request(name, `${at}${search === '' ? '' : `?${search}`}`);
      if (name === 'HEAD') assert.ok(answer.status < 500);
      else acceptable(answer);
    }),
    settings(2_000),
  );
});

test('bytes that are no HTTP', async () => {
  const line = fc.constantFrom(
    'GET / HTTP/1.1',
    'POST /v1/intents HTTP/1.1',
    'Host: x',
    'Content-Length: 3',
    'Transfer-Encoding: chunked',
    'Content-Type: application/json',
    'Connection: close',
    '',
    '3',
    '{}',
    '\u{0}',
  );
  const message = fc.array(
    fc.oneof(line, line, fc.string({ unit: 'binary-ascii', maxLength: 20 })),
    { maxLength: 9 },
  );
  await fc.assert(
    fc.asyncProperty(message, async (lines) => {
      const text = await node.raw(`${lines.join('\r\n')}\r\n\r\n`, { thenClose: true });
      if (text === '') return;
      const answer = parseRawAnswer(text);
      assert.ok(answer.status >= 200 && answer.status < 500, text);
    }),
    settings(1_500),
  );
});
