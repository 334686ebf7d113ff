/** Answers to intents that are malformed, expired, replayed, or not allowed. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { beaconOf, testKey } from '@netd/ledger/testing';
import { canonicalize, hashValue, type ErrorCode, type JsonObject } from '@netd/protocol';
import { assertProblem, HttpNode, type Body } from '@netd/testkit/http-node';

const INTENTS = '/v1/intents';
let node: HttpNode;
before(async () => {
  node = await HttpNode.start();
  await Promise.all(['alice', 'bob', 'sleeper'].map((actorId) => node.join(actorId)));
  await node.act('alice', 'extendAgentCapabilities', {
    agentId: 'alice',
    actions: ['faucet', 'transfer'],
  });
  await node.act('alice', 'faucet', { amount: 100 });
  await node.act('alice', 'publishBeacon', beaconOf('alice', node.height, { sequence: 5 }));
  await node.act('operator', 'setAgentStatus', { agentId: 'sleeper', status: 'suspended' });
});
after(() => node.stop());

interface Row {
  name: string;
  body: () => Body;
  status: 400 | 409;
  code: ErrorCode;
  path?: string;
}

function rows(title: string, table: Row[]): void {
  describe(title, () => {
    for (const { name, body, status, code, path } of table) {
      test(`${name}: ${status} ${code}`, async () => {
        const size = statSync(join(node.dataDir, 'chain', 'data.mdb')).size;
        const state = node.state();
        const answer = await node.post(INTENTS, body());
        const problem = assertProblem(answer, status, code);
        assert.equal(problem.receipt, undefined);
        if (path !== undefined) {
          const places = problem.errors?.map((error) => error.path);
          assert.ok(places?.includes(path), `${path} is not among ${String(places)}`);
        }
        assert.deepEqual(node.state(), state);
        assert.ok(statSync(join(node.dataDir, 'chain', 'data.mdb')).size - size <= 65_536);
      });
    }
  });
}

const withdraw =
  (members: Record<string, unknown> = {}) =>
  (): Body =>
    node.intent('alice', 'withdrawBeacon', { agentId: 'alice' }, members);
const malformed = (name: string, members: Record<string, unknown>, path: string): Row => ({
  name,
  body: withdraw(members),
  status: 400,
  code: 'ENVELOPE_INVALID',
  path,
});
const refused = (name: string, code: ErrorCode, body: () => Body, path?: string): Row => ({
  name,
  body,
  status: 409,
  code,
  ...(path === undefined ? {} : { path }),
});
const wrongTypes = { null: null, 'a number': 7, true: true, 'an array': ['x'], 'an object': {} };
const members = ['actorId', 'nonce', 'expiresAtHeight', 'action', 'payload', 'signature'];

rows('an intent whose members have the wrong form', [
  ...members.map((member): Row => ({
    name: `no ${member}`,
    body: () => {
      const { [member]: _, ...rest } = withdraw()() as JsonObject;
      return rest;
    },
    status: 400,
    code: 'ENVELOPE_INVALID',
    path: `/${member}`,
  })),
  ...['actorId', 'nonce', 'action', 'chainId'].flatMap((member) =>
    Object.entries(wrongTypes).map(([name, value]) =>
      malformed(`${member} is ${name}`, { [member]: value }, `/${member}`),
    ),
  ),
  ...Object.entries({ ...wrongTypes, 'a number': '7', 'a string': '1000' }).map(([name, value]) =>
    malformed(`expiresAtHeight is ${name}`, { expiresAtHeight: value }, '/expiresAtHeight'),
  ),
  ...Object.entries({
    null: null,
    'a number': 7,
    true: true,
    'an array': [],
    'a string': '{}',
  }).map(([name, value]) => malformed(`payload is ${name}`, { payload: value }, '/payload')),
  malformed('an empty nonce', { nonce: '' }, '/nonce'),
  malformed('a nonce of 129 characters', { nonce: 'x'.repeat(129) }, '/nonce'),
  malformed('a nonce of 129 emoji', { nonce: '🦊'.repeat(129) }, '/nonce'),
  {
    name: 'a registration',
    body: () => node.registration('newcomer'),
    status: 400,
    code: 'ENVELOPE_INVALID',
  },
  {
    name: 'the schema of an open transition',
    body: withdraw({ schema: 'NET-OPEN-TRANSITION/1' }),
    status: 400,
    code: 'ENVELOPE_INVALID',
  },
]);

const expiry = (name: string, code: ErrorCode, at: () => number): Row =>
  refused(
    name,
    code,
    () => node.intent('alice', 'withdrawBeacon', { agentId: 'alice' }, { expiresAtHeight: at() }),
    '/expiresAtHeight',
  );

rows('an intent that fails before its action is looked at', [
  refused(
    'an unknown actor',
    'ACTOR_UNKNOWN',
    () => node.intent('nobody', 'faucet', { amount: 1 }),
    '/actorId',
  ),
  ...[
    '',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'alice\n',
    'net:faucet',
    '../alice',
    '\u{0}',
  ].map((actorId) =>
    refused(
      `${JSON.stringify(actorId)} as actor`,
      'ACTOR_UNKNOWN',
      () => node.intent(actorId, 'faucet', { amount: 1 }),
      '/actorId',
    ),
  ),
  refused('2,048 emoji as actor', 'ACTOR_UNKNOWN', () =>
    node.intent('🦊'.repeat(2_048), 'faucet', {}),
  ),
  refused("another agent's key", 'SIGNATURE_INVALID', () =>
    node.intent('alice', 'faucet', { amount: 1 }, { key: testKey('bob') }),
  ),
  refused('a payload changed after signing', 'SIGNATURE_INVALID', () => ({
    ...node.intent('alice', 'faucet', { amount: 1 }),
    payload: { amount: 2 },
  })),
  refused('an expiry changed after signing', 'SIGNATURE_INVALID', () => ({
    ...node.intent('alice', 'faucet', { amount: 1 }),
    expiresAtHeight: node.height + 4,
  })),
  refused(
    'a suspended agent',
    'AUTHORITY_INACTIVE',
    () => node.intent('sleeper', 'withdrawBeacon', { agentId: 'sleeper' }),
    '/actorId',
  ),
  refused('another chain', 'CHAIN_ID_MISMATCH', withdraw({ chainId: 'net-devnet-1' }), '/chainId'),
  refused(
    'another chain in capitals',
    'CHAIN_ID_MISMATCH',
    withdraw({ chainId: 'NET-HTTP-TEST' }),
    '/chainId',
  ),
  expiry('expiry at the current height', 'INTENT_EXPIRED', () => node.height),
  expiry('expiry at height 0', 'INTENT_EXPIRED', () => 0),
  expiry('expiry below zero', 'INTENT_EXPIRED', () => -1),
  expiry('expiry at the smallest integer', 'INTENT_EXPIRED', () => 1 - 2 ** 53),
  expiry('expiry at the largest integer', 'EXPIRY_TOO_FAR', () => 2 ** 53 - 1),
  ...[
    '',
    'doMagic',
    'Faucet',
    'faucet ',
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    '*',
  ].map((action) =>
    refused(
      `${JSON.stringify(action)} as action`,
      'ACTION_UNKNOWN',
      () => node.intent('alice', action, {}),
      '/action',
    ),
  ),
  refused(
    'an action the agent may not do',
    'CAPABILITY_MISSING',
    () => node.intent('bob', 'faucet', { amount: 1 }),
    '/action',
  ),
  refused('an action for operators', 'CAPABILITY_MISSING', () =>
    node.intent('alice', 'setAgentStatus', { agentId: 'bob', status: 'suspended' }),
  ),
  refused('acting for another agent', 'CAPABILITY_AGENT_MISMATCH', () =>
    node.intent('alice', 'withdrawBeacon', { agentId: 'bob' }),
  ),
]);

const beacon = (
  name: string,
  change: JsonObject,
  path: string,
  code: ErrorCode = 'PAYLOAD_INVALID',
): Row =>
  refused(
    name,
    code,
    () =>
      node.intent(
        'alice',
        'publishBeacon',
        beaconOf('alice', node.height, { sequence: 9, ...change }),
      ),
    path,
  );
const amount = (name: string, value: unknown): Row =>
  refused(
    `an amount that is ${name}`,
    'PAYLOAD_INVALID',
    () => node.intent('alice', 'transfer', { to: 'bob', amount: value }),
    '/payload/amount',
  );
const endpoint = (name: string, uri: string): Row =>
  beacon(`an endpoint ${name}`, { endpoint: uri }, '/payload/endpoint');

rows('a payload that does not fit its action', [
  endpoint('without a scheme', 'alice.example'),
  endpoint('with credentials', 'https://alice:secret@alice.example/'),
  endpoint('with a user', 'https://alice@alice.example/'),
  endpoint('with a fragment', 'https://alice.example/#me'),
  endpoint('with a blank', 'https://alice.example/a b'),
  endpoint('with a line break', 'https://alice.example/\n'),
  endpoint('in capitals', 'HTTPS://alice.example/'),
  endpoint('of IPv6', 'https://[::1]/'),
  endpoint('beyond ASCII', 'https://älice.example/'),
  endpoint('of 513 characters', `https://alice.example/${'x'.repeat(491)}`),
  endpoint('of javascript', 'javascript:alert(1)'),
  endpoint('with a stray percent sign', 'https://alice.example/%zz'),
  beacon('no capabilities', { capabilities: [] }, '/payload/capabilities'),
  beacon('a capability twice', { capabilities: ['x', 'x'] }, '/payload/capabilities'),
  beacon('a metadataHash in capitals', { metadataHash: 'AB'.repeat(32) }, '/payload/metadataHash'),
  beacon('a further member', { color: 'red' }, '/payload/color'),
  beacon('another schema', { schema: 'NET-AGENT-BEACON/2' }, '/payload/schema'),
  beacon('an earlier sequence', { sequence: 4 }, '/payload/sequence', 'BEACON_SEQUENCE_STALE'),
  refused('a beacon 5,001 ahead', 'BEACON_EXPIRY_TOO_FAR', () =>
    node.intent(
      'alice',
      'publishBeacon',
      beaconOf('alice', 0, { sequence: 9, expiresAtHeight: node.height + 5_001 }),
    ),
  ),
  amount('a string', '5'),
  amount('an array', [5]),
  amount('null', null),
  amount('an object', { value: 5 }),
  amount('true', true),
  amount('negative', -5),
  amount('zero', 0),
  refused(
    'an empty payload',
    'PAYLOAD_INVALID',
    () => node.intent('alice', 'faucet', {}),
    '/payload/amount',
  ),
  refused(
    'a further member',
    'PAYLOAD_INVALID',
    () => node.intent('alice', 'faucet', { amount: 1, constructor: 1 }),
    '/payload/constructor',
  ),
  refused('more than the account holds', 'INSUFFICIENT_BALANCE', () =>
    node.intent('alice', 'transfer', { to: 'bob', amount: 101 }),
  ),
  refused('the largest integer', 'INSUFFICIENT_BALANCE', () =>
    node.intent('alice', 'transfer', { to: 'bob', amount: 2 ** 53 - 1 }),
  ),
  refused('to oneself', 'RECIPIENT_IS_SENDER', () =>
    node.intent('alice', 'transfer', { to: 'alice', amount: 1 }),
  ),
  refused('to an unknown recipient', 'RECIPIENT_UNKNOWN', () =>
    node.intent('alice', 'transfer', { to: 'nobody', amount: 1 }),
  ),
  refused('a faucet request that is too large', 'FAUCET_REQUEST_LIMIT', () =>
    node.intent('alice', 'faucet', { amount: 10 ** 10 }),
  ),
]);

describe('an amount that is no plain integer never reaches the rules', () => {
  for (const token of ['0.5', '1.0', '1e309', '1e3', '9007199254740992', '-0', '00']) {
    test(`${token}: 400`, async () => {
      const text = canonicalize(node.intent('alice', 'transfer', { to: 'bob', amount: 55_555 }));
      const answer = await node.post(INTENTS, text.replace('55555', token));
      const { errors } = assertProblem(answer, 400, 'ENVELOPE_INVALID');
      assert.equal(errors?.[0]?.path, '/payload/amount');
    });
  }
});

describe('replay', () => {
  test('an envelope sent again is answered with its receipt, whatever its spelling', async () => {
    const envelope = node.intent('alice', 'faucet', { amount: 1 });
    const first = await node.post(INTENTS, envelope);
    assert.equal(first.status, 201);
    const state = node.state();
    for (const body of [canonicalize(envelope), JSON.stringify(envelope, null, 4)]) {
      const problem = assertProblem(await node.post(INTENTS, body), 409, 'NONCE_REPLAYED');
      assert.deepEqual(problem.receipt, first.body['receipt']);
    }
    assert.deepEqual(node.state(), state);
  });
  test('so it is after its expiry, and while many ask at once', async () => {
    const envelope = node.intent(
      'alice',
      'faucet',
      { amount: 1 },
      { expiresAtHeight: node.height + 1 },
    );
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => node.post(INTENTS, envelope)),
    );
    const committed = answers.filter(({ status }) => status === 201);
    assert.equal(committed.length, 1);
    for (const answer of answers) {
      if (answer.status === 201) continue;
      const problem = assertProblem(answer, 409, 'NONCE_REPLAYED');
      assert.deepEqual(problem.receipt, committed[0]?.body['receipt']);
    }
    await node.act('alice', 'faucet', { amount: 1 });
    await node.act('alice', 'faucet', { amount: 1 });
    const late = assertProblem(await node.post(INTENTS, envelope), 409, 'NONCE_REPLAYED');
    assert.deepEqual(late.receipt, committed[0]?.body['receipt']);
  });
  test('the same nonce over other content is refused without a receipt', async () => {
    const nonce = node.freshNonce();
    await node.post(INTENTS, node.intent('alice', 'faucet', { amount: 1 }, { nonce }));
    const other = await node.post(
      INTENTS,
      node.intent('alice', 'faucet', { amount: 2 }, { nonce }),
    );
    assert.equal(assertProblem(other, 409, 'NONCE_REPLAYED').receipt, undefined);
  });
  test('another actor may use the same nonce', async () => {
    const nonce = node.freshNonce();
    await node.post(INTENTS, node.intent('alice', 'faucet', { amount: 1 }, { nonce }));
    const other = await node.post(
      INTENTS,
      node.intent('bob', 'publishBeacon', beaconOf('bob', node.height), { nonce }),
    );
    assert.equal(other.status, 201, other.text);
  });
  test('a refused intent leaves its nonce free', async () => {
    const nonce = node.freshNonce();
    const poor = await node.post(
      INTENTS,
      node.intent('alice', 'transfer', { to: 'bob', amount: 10 ** 9 }, { nonce }),
    );
    assertProblem(poor, 409, 'INSUFFICIENT_BALANCE');
    const good = await node.post(INTENTS, node.intent('alice', 'faucet', { amount: 1 }, { nonce }));
    assert.equal(good.status, 201, good.text);
  });
  test('a registration sent again is answered with its receipt, another one of the same name without', async () => {
    const envelope = node.registration('carol');
    const first = await node.post('/v1/agents/register', envelope);
    assert.equal(first.status, 201);
    const again = assertProblem(
      await node.post('/v1/agents/register', envelope),
      409,
      'AGENT_EXISTS',
    );
    assert.deepEqual(again.receipt, first.body['receipt']);
    const { transitionHash } = first.body['receipt'] as JsonObject;
    assert.equal(transitionHash, hashValue(envelope));
    const other = await node.post('/v1/agents/register', node.registration('carol'));
    assert.equal(assertProblem(other, 409, 'AGENT_EXISTS').receipt, undefined);
  });
  test('an intent at the very last heights it may name is accepted', async () => {
    for (const distance of [1, 5_000]) {
      const answer = await node.post(
        INTENTS,
        node.intent('alice', 'faucet', { amount: 1 }, { expiresAtHeight: node.height + distance }),
      );
      assert.equal(answer.status, 201, answer.text);
    }
  });
});
