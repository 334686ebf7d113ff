/** POST /v1/intents:simulate reports the outcome and changes nothing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ACTIONS } from '@netd/ledger';
import { beaconOf } from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import { makeFastDevnet } from '@netd/testkit/fast-devnet';
import { assertProblem, HttpNode, textOf, type Answer, type Body } from '@netd/testkit/http-node';
import { tempDir } from '@netd/testkit/temp-dir';
import { withoutAdmissionTable } from '@netd/testkit/without-admission-table';

let node: HttpNode;
before(async () => {
  node = await HttpNode.start();
  await node.join('alice');
  await node.act('alice', 'extendAgentCapabilities', { agentId: 'alice', actions: ['faucet'] });
});
after(() => node.stop());

/** Simulates `body`, and asserts that the chain's state is unchanged. */
async function simulate(body: Body): Promise<Answer> {
  const state = node.state();
  const answer = await node.post('/v1/intents:simulate', body);
  assert.deepEqual(node.state(), state);
  return answer;
}
const unsigned = (action: string, payload: JsonObject, actorId = 'alice'): JsonObject => ({
  actorId,
  action,
  payload,
});

test('an unsigned action is tried against the rules: events and changed keys', async () => {
  const { status, body } = await simulate(unsigned('faucet', { amount: 7 }));
  assert.equal(status, 200);
  assert.equal(body['outcome'], 'accepted');
  assert.equal(body['signed'], false);
  assert.equal(body['height'], node.height);
  assert.equal(body['refusal'], null);
  assert.deepEqual(body['events'], [{ type: 'FaucetPaid', data: { actorId: 'alice', amount: 7 } }]);
  const keys = (body['changes'] as JsonObject[]).map(({ key }) => key);
  assert.deepEqual(keys, [
    'account/alice',
    'account/net:faucet',
    'cumulative-total/faucet',
    'faucet-day/today',
    'supply/circulating',
    'supply/faucet',
  ]);
});

test('a refusal says how much is missing, and which action was probably meant', async () => {
  await node.join('poor');
  await node.act('poor', 'extendAgentCapabilities', { agentId: 'poor', actions: ['transfer'] });
  const spent = { to: 'alice', amount: 2_500_000 };
  const poor = await simulate(unsigned('transfer', spent, 'poor'));
  assert.match(
    textOf(poor.body['refusal'] as JsonObject, 'detail'),
    /holds 0 unet, 2500000 are needed, so 2500000 unet \(2\.5 NET\) are missing/,
  );
  const mistyped = await simulate(unsigned('tranfser', {}));
  assert.equal(textOf(mistyped.body['refusal'] as JsonObject, 'code'), 'ACTION_UNKNOWN');
  assert.match(
    textOf(mistyped.body['refusal'] as JsonObject, 'detail'),
    /no action tranfser; did you mean transfer/,
  );
  // The signed request gets the same error.
  const refused = await node.post('/v1/intents', node.intent('alice', 'tranfser', {}));
  assert.match(textOf(refused.body, 'detail'), /did you mean transfer/);
});

test('an action is tried with capabilities that the actor would first give itself', async () => {
  await node.join('rich');
  await node.act('rich', 'extendAgentCapabilities', { agentId: 'rich', actions: ['faucet'] });
  await node.act('rich', 'faucet', { amount: 5 });
  const tried = async (payload: JsonObject, capabilities: string[]): Promise<JsonObject> =>
    (await simulate({ ...unsigned('transfer', payload, 'rich'), capabilities })).body;
  const codeOf = ({ refusal }: JsonObject): unknown => (refusal as JsonObject | null)?.['code'];
  const accepted = await tried({ to: 'alice', amount: 5 }, ['transfer']);
  assert.equal(accepted['outcome'], 'accepted');
  // Only the action is reported.
  assert.deepEqual(
    (accepted['events'] as JsonObject[]).map(({ type }) => type),
    ['Transferred'],
  );
  assert.deepEqual(
    (accepted['changes'] as JsonObject[]).map(({ key }) => key),
    ['account/alice', 'account/rich', 'supply/circulating'],
  );
  assert.equal(
    codeOf(await tried({ to: 'alice', amount: 6 }, ['transfer'])),
    'INSUFFICIENT_BALANCE',
  );
  assert.equal(codeOf(await tried({ to: 'nobody', amount: 1 }, ['transfer'])), 'RECIPIENT_UNKNOWN');
  for (const capabilities of [['faucet'], ['revokeAuthority'], ['no such'], []]) {
    assert.equal(
      codeOf(await tried({ to: 'alice', amount: 1 }, capabilities)),
      'CAPABILITY_MISSING',
    );
  }
  const many = { ...unsigned('faucet', { amount: 1 }), capabilities: Array(65).fill('faucet') };
  assertProblem(await simulate(many), 400, 'ENVELOPE_INVALID');
  const signed = { ...node.intent('rich', 'transfer', { to: 'alice', amount: 1 }) };
  const { body } = await simulate({ ...signed, capabilities: ['transfer'] });
  assert.notEqual(body['outcome'], 'accepted', 'a signed intent is simulated as it is');
});

test('traces it step by step only on request', async () => {
  const asked = unsigned('transfer', { to: 'alice', amount: 5 });
  const plain = await simulate(asked);
  assert.ok(!('trace' in plain.body));
  const { body } = await node.post('/v1/intents:simulate?trace=true', asked);
  const { trace, ...rest } = body as { trace: JsonObject };
  assert.deepEqual(rest, plain.body);
  assert.deepEqual(trace['rules'], [
    { code: 'ACTOR_UNKNOWN', path: '/actorId', holds: true },
    { code: 'AUTHORITY_INACTIVE', path: '/actorId', holds: true },
    { code: 'ACTION_UNKNOWN', path: '/action', holds: true },
    { code: 'CAPABILITY_MISSING', path: '/action', holds: false },
  ]);
  assert.deepEqual(trace['writes'], []);
  assert.equal((trace['refusal'] as JsonObject)['code'], 'CAPABILITY_MISSING');
  const answer = await node.post('/v1/intents:simulate?trace=maybe', asked);
  assertProblem(answer, 400, 'PARAMETER_INVALID');
});

test('a committed intent has the events and changes of its simulation', async () => {
  const beacon = beaconOf('alice', node.height);
  const { body } = await simulate(unsigned('publishBeacon', beacon));
  const receipt = await node.act('alice', 'publishBeacon', beacon);
  assert.deepEqual(
    receipt.events.map(({ type, data }) => ({ type, data })),
    body['events'],
  );
  const change = (body['changes'] as JsonObject[]).find(({ key }) => key === 'beacon/alice');
  const { value } = await node.document('/v1/state/proof?key=beacon/alice');
  assert.deepEqual(change?.['value'], value);
});

test('a refusal is an answer: code, detail and places', async () => {
  const cases: [JsonObject, string, string][] = [
    [unsigned('faucet', { amount: 0 }), 'PAYLOAD_INVALID', '/payload/amount'],
    [unsigned('faucet', { amount: 10 ** 10 }), 'FAUCET_REQUEST_LIMIT', '/payload/amount'],
    [unsigned('transfer', { to: 'bob', amount: 1 }), 'CAPABILITY_MISSING', '/action'],
    [unsigned('constructor', {}), 'ACTION_UNKNOWN', '/action'],
    [unsigned('faucet', { amount: 1 }, 'nobody'), 'ACTOR_UNKNOWN', '/actorId'],
    [unsigned('faucet', { amount: 1 }, '__proto__'), 'ACTOR_UNKNOWN', '/actorId'],
    [unsigned('faucet', { amount: 1 }, '🦊'.repeat(2_048)), 'ACTOR_UNKNOWN', '/actorId'],
  ];
  for (const [envelope, code, path] of cases) {
    const { status, body } = await simulate(envelope);
    assert.equal(status, 200);
    assert.equal(body['outcome'], 'refused');
    assert.deepEqual([body['events'], body['changes']], [[], []]);
    const refusal = body['refusal'] as { code: string; detail: string; errors: { path: string }[] };
    assert.equal(refusal.code, code);
    assert.equal(refusal.errors[0]?.path, path);
    assert.ok(refusal.detail.length > 0);
  }
});

test('a signed intent is looked at as a whole, and its nonce stays free', async () => {
  const intent = node.intent('alice', 'faucet', { amount: 3 });
  for (let i = 0; i < 2; i++) {
    const { body } = await simulate(intent);
    assert.deepEqual([body['outcome'], body['signed']], ['accepted', true]);
  }
  const done = await node.post('/v1/intents', intent);
  assert.equal(done.status, 201, done.text);
  assert.equal(((await simulate(intent)).body['refusal'] as JsonObject)['code'], 'NONCE_REPLAYED');
});

test('a signed intent is refused for what is wrong with its envelope', async () => {
  const code = async (body: JsonObject): Promise<unknown> =>
    ((await simulate(body)).body['refusal'] as JsonObject)['code'];
  const payload = { amount: 1 };
  assert.equal(
    await code({ ...node.intent('alice', 'faucet', payload), payload: { amount: 2 } }),
    'SIGNATURE_INVALID',
  );
  assert.equal(
    await code({ ...node.intent('alice', 'faucet', payload), signature: '' }),
    'SIGNATURE_INVALID',
  );
  assert.equal(
    await code(node.intent('alice', 'faucet', payload, { expiresAtHeight: node.height })),
    'INTENT_EXPIRED',
  );
  assert.equal(
    await code(node.intent('alice', 'faucet', payload, { chainId: 'other' })),
    'CHAIN_ID_MISMATCH',
  );
});

test('a malformed body is refused as everywhere', async () => {
  for (const body of [
    '',
    'null',
    '[]',
    '{}',
    '{"actorId":"alice"}',
    '{"actorId":"alice","action":"faucet","payload":[]}',
    '{"actorId":1,"action":"faucet","payload":{}}',
    '{"actorId":"alice","action":"faucet","payload":{"amount":1.5}}',
    '{"signature":""}',
  ]) {
    assertProblem(await simulate(body), 400, 'ENVELOPE_INVALID');
  }
  assertProblem(
    await node.post('/v1/intents:simulate', '{}', { 'content-type': 'text/plain' }),
    415,
    'CONTENT_TYPE_UNSUPPORTED',
  );
  assertProblem(await node.post('/v1/intents:simulate', 'x'.repeat(65_537)), 413, 'BODY_TOO_LARGE');
});

test('many at once are answered, or told to come again, and never keep a write waiting for good', async () => {
  const tries = Array.from({ length: 60 }, () => tryOnce());
  const write = node.post('/v1/intents', node.intent('alice', 'faucet', { amount: 1 }));
  const answers = await Promise.all(tries);
  assert.equal((await write).status, 201);
  for (const answer of answers) {
    if (answer.status === 503) {
      assertProblem(answer, 503, 'OVERLOADED');
      assert.match(String(answer.headers['retry-after']), /^\d+$/);
    } else assert.equal(answer.status, 200);
  }
  assert.ok(answers.some(({ status }) => status === 200));
  function tryOnce(): Promise<Answer> {
    return node.post('/v1/intents:simulate', unsigned('faucet', { amount: 1 }));
  }
});

test('an address that asks for many is told that it has its share, and keeps no other out', async (t) => {
  const behind = await HttpNode.start({ trustProxy: 1 });
  t.after(() => behind.stop());
  const tryOf = (address: string): Promise<Answer> =>
    behind.post('/v1/intents:simulate', unsigned('faucet', { amount: 1 }), {
      'x-forwarded-for': address,
    });
  // Sends 200 requests from the /64s of one /48, next to an address outside of it.
  const hostile = Array.from({ length: 200 }, (_, i) => tryOf(`2001:db8:51:${i.toString(16)}::1`));
  const honest = Array.from({ length: 4 }, () => tryOf('198.51.100.7'));
  const answers = await Promise.all(hostile);
  for (const { status } of await Promise.all(honest)) assert.equal(status, 200);
  const refused = answers.filter(({ body }) => body['code'] === 'RATE_LIMITED');
  assert.ok(refused.length > 0, 'some are beyond a share');
  const { detail } = assertProblem(refused[0] as Answer, 429, 'RATE_LIMITED');
  assert.match(
    detail,
    /^2001:db8:51::\/48 has 8 simulations waiting, and an address may have no more; try again in 1 s/,
  );
});

test('the admission table is published, and refuses simulations and writes alike', async (t) => {
  // Version 2 of the rules refuses these itself.
  const dataDir = tempDir(t);
  const { chainId } = makeFastDevnet(dataDir, { rules: 1 });
  const old = await HttpNode.start({ dataDir, chainId });
  t.after(() => old.stop());
  await old.join('alice');
  const actions = ['createToken'];
  await old.act('alice', 'extendAgentCapabilities', { agentId: 'alice', actions });
  const token = { tokenId: 'tok-fake', name: 'Fake', symbol: 'Net', decimals: 6 };
  const payload = { ...token, supplyCap: 1, initialSupply: 1 };
  const { body } = await old.post('/v1/intents:simulate', unsigned('createToken', payload));
  assert.equal((body['refusal'] as JsonObject)['code'], 'SYMBOL_RESERVED');
  const written = old.intent('alice', 'createToken', payload);
  assertProblem(await old.post('/v1/intents', written), 409, 'SYMBOL_RESERVED');
  // A repeat of an intent from before the table still counts as a replay.
  const earlier = await withoutAdmissionTable(() => old.post('/v1/intents', written));
  assert.equal(earlier.status, 201, earlier.text);
  const again = await old.post('/v1/intents', written);
  assertProblem(again, 409, 'NONCE_REPLAYED');
  const { admission, actions: listed, capabilitySets } = await old.document('/v1/manifest');
  const codes = (admission as JsonObject[]).map(({ code }) => code);
  const ofActs = [
    'VALIDATOR_SET_FIXED',
    'RELEASE_RULES_MISMATCH',
    'SYMBOL_RESERVED',
    'TEXT_HIDDEN',
  ];
  assert.deepEqual(codes, [...ofActs, 'REGISTRATION_LIMIT', 'FIRST_DRAW_LIMIT']);
  // Neither document offers an action that version 1 lacks.
  const offered = JSON.stringify({ listed, capabilitySets }) + (await old.get('/llms.txt')).text;
  const names = [...ACTIONS.values()].filter(({ since = 1 }) => since > 1).map(({ name }) => name);
  assert.ok(names.includes('sponsorName'));
  assert.deepEqual(
    names.filter((name) => offered.includes(name)),
    [],
  );
});
