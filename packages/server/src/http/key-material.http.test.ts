/**
 * A secret sent by mistake is refused everywhere. The error names its place, and it is neither stored nor
 * logged.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hashOf } from '@netd/ledger/testing';
import { testKey } from '@netd/protocol/testing';
import type { JsonObject } from '@netd/protocol';
import { pino } from 'pino';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';

const SECRET = 'a-secret-that-nobody-has-7f3a';
const PEM = testKey(SECRET).privateKeyPem;
const PEM_BODY = PEM.split('\n')[1] ?? '';

const nodes: { secure: HttpNode; open: HttpNode } = {} as never;
let logged = '';
before(async () => {
  const logger = pino({ level: 'trace' }, { write: (line: string) => void (logged += line) });
  nodes.secure = await HttpNode.start({ logger });
  nodes.open = await HttpNode.start({ open: true, logger });
});
after(async () => {
  await nodes.secure.stop();
  await nodes.open.stop();
});

/** The secrets: what to put where, and the place that the refusal names within it. */
const SECRETS: readonly [string, JsonObject, string][] = [
  ['a member', { privateKey: SECRET }, '/privateKey'],
  ['a member of another spelling', { 'SEED-phrase': SECRET }, '/SEED-phrase'],
  ['a member further down', { a: [{ b: { api_key: SECRET } }] }, '/a/0/b/api_key'],
  ['a PEM', { note: `mine: ${PEM}` }, '/note'],
  ['PKCS #8 without its PEM', { note: PEM_BODY }, '/note'],
  ['a JWK', { key: { kty: 'OKP', crv: 'Ed25519', d: SECRET } }, '/key/d'],
  ['a name that is the key', { x: { [PEM]: 1 } }, '/x'],
];

interface Way {
  node: () => HttpNode;
  path: string;
  name: string;
  body: (node: HttpNode, secret: JsonObject) => JsonObject;
  /** JSON pointer of the object that holds the secret; empty for the body itself. */
  at: string;
}

const secure = (name: string, path: string, body: Way['body'], at = ''): Way => ({
  node: () => nodes.secure,
  path,
  name,
  body,
  at,
});

const RESOURCES = [
  ['/v1/work-orders', 'createWorkOrder'],
  ['/v1/memory/checkpoints', 'commitMemoryCheckpoint'],
  ['/v1/memory/handovers', 'prepareMemoryHandover'],
  ['/v1/protocol/contributions', 'submitProtocolContribution'],
] as const;

const WAYS: readonly Way[] = [
  secure('a registration', '/v1/agents/register', (node, secret) =>
    node.registration('newcomer', secret),
  ),
  secure('an application', '/v1/operator-applications', (node, secret) =>
    node.application('newcomer', 'HUMAN', secret),
  ),
  secure(
    'the profile of an application',
    '/v1/operator-applications',
    (node, secret) => node.application('newcomer', 'HUMAN', { profile: secret }),
    '/profile',
  ),
  secure('a claim', '/v1/operator-invitations/claim', (node, secret) =>
    node.claim('newcomer', hashOf(1), secret),
  ),
  secure('an intent', '/v1/intents', (node, secret) => ({
    ...node.intent('operator', 'transfer', {}),
    ...secret,
  })),
  secure(
    'the payload of an intent',
    '/v1/intents',
    (node, secret) => node.intent('operator', 'transfer', secret),
    '/payload',
  ),
  secure(
    'a signed simulation',
    '/v1/intents:simulate',
    (node, secret) => node.intent('operator', 'transfer', secret),
    '/payload',
  ),
  secure(
    'an unsigned simulation',
    '/v1/intents:simulate',
    (_, payload) => ({ actorId: 'operator', action: 'transfer', payload }),
    '/payload',
  ),
  ...RESOURCES.flatMap(([path, action]): Way[] => [
    secure(
      `the intent of ${action}`,
      path,
      (node, secret) => node.intent('operator', action, secret),
      '/payload',
    ),
    secure(`a bare payload of ${action}`, path, (_, secret) => ({ agentId: 'alice', ...secret })),
    {
      node: () => nodes.open,
      path,
      name: `a bare payload of ${action} on an open chain`,
      body: (_, secret) => ({ agentId: 'alice', requesterId: 'alice', ...secret }),
      at: '',
    },
  ]),
];

for (const { name, node: nodeOf, path, body, at } of WAYS) {
  describe(`${name} at ${path} is refused with`, () => {
    for (const [what, secret, place] of SECRETS) {
      test(what, async () => {
        const node = nodeOf();
        const state = node.state();
        const answer = await node.post(path, body(node, secret));
        const problem = assertProblem(answer, 400, 'KEY_MATERIAL_REFUSED');
        assert.deepEqual(
          problem.errors?.map((error) => error.path),
          [at + place],
        );
        for (const text of [answer.text, JSON.stringify(answer.headers), logged]) {
          assert.ok(!text.includes(SECRET) && !text.includes(PEM_BODY));
        }
        assert.deepEqual(node.state(), state);
      });
    }
  });
}

test('there is no other way in: A2A and MCP take no envelopes', async () => {
  const { paths } = await nodes.secure.description();
  const written = Object.keys(paths).filter((path) => paths[path]?.['post']);
  const tried = new Set([
    ...WAYS.map(({ path }) => path),
    '/a2a/v1/message:send',
    '/a2a/v1/message:stream',
    '/a2a/v1/rpc',
    // This operation has no body.
    '/a2a/v1/tasks/{id}:subscribe',
    '/mcp',
    // Other chains refuse these. Their closed schemas allow only numbers and words.
    '/v1/lab/mine',
    '/v1/lab/mode',
    '/v1/lab/revert',
    '/v1/lab/snapshot',
    '/v1/lab/time',
  ]);
  assert.deepEqual(written.toSorted(), [...tried].toSorted());
});
