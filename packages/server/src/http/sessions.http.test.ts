/**
 * A session over HTTP: another key acts for its agent within a budget. Forbidden actions are refused by name.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { signatureOf, testKey } from '@netd/protocol/testing';
import { assertProblem, HttpNode, type Answer } from '@netd/testkit/http-node';

let node: HttpNode;
const key = testKey('alice session phone');

before(async () => {
  node = await HttpNode.start();
  await node.join('alice');
  await node.join('bob');
  const actions = ['faucet', 'transfer'];
  await node.act('alice', 'extendAgentCapabilities', { agentId: 'alice', actions });
  await node.act('alice', 'faucet', { amount: 1_000 });
});
after(() => node.stop());

/** Grants a session for `key`; `proofOf` signs the proof of possession. */
function grant(members: JsonObject = {}, proofOf = key): Promise<Answer> {
  const nonce = node.freshNonce();
  const { publicKey, publicKeyHash } = key;
  const sessionId = 'phone';
  const { chainId } = node;
  const schema = 'NET-SESSION-KEY/1';
  const statement = { schema, chainId, actorId: 'alice', sessionId, publicKey, nonce };
  const payload = {
    agentId: 'alice',
    sessionId,
    publicKey,
    publicKeyHash,
    sessionKeySignature: signatureOf(proofOf, statement),
    actions: ['transfer'],
    budget: 100,
    expiresAtHeight: node.height + 500,
    ...members,
  };
  return node.post('/v1/intents', node.intent('alice', 'grantSession', payload, { nonce }));
}

const send = (action: string, payload: JsonObject, signer = key): Promise<Answer> =>
  node.post(
    '/v1/intents',
    node.intent('alice', action, payload, { sessionId: 'phone', key: signer }),
  );
const pay = (amount: number, signer = key): Promise<Answer> =>
  send('transfer', { to: 'bob', amount }, signer);
const sessionsOf = async (): Promise<JsonObject[]> =>
  (await node.document('/v1/agents/alice'))['sessions'] as JsonObject[];

test('a session is granted with proof, spends its budget for good, and is shown', async () => {
  assertProblem(await pay(1), 409, 'SESSION_UNKNOWN');
  assert.equal((await grant({}, testKey('somebody else'))).status, 409);
  assert.deepEqual(await sessionsOf(), []);
  const granted = await grant();
  assert.equal(granted.status, 201, granted.text);
  const paid = await pay(60);
  assert.equal(paid.status, 201, paid.text);
  assertProblem(await pay(41), 409, 'SESSION_BUDGET_EXCEEDED');
  const [session, ...more] = await sessionsOf();
  assert.deepEqual(more, []);
  assert.deepEqual([session?.['sessionId'], session?.['spent']], ['phone', 60]);
});

test('it does only what it was granted, and no other key can use it', async () => {
  const state = node.state();
  for (const [action, payload] of [
    ['faucet', { amount: 1 }],
    ['revokeSession', { agentId: 'alice', sessionId: 'another' }],
    ['grantSession', {}],
    ['rotateAgentKey', {}],
  ] as const) {
    const answer = await send(action, payload);
    assert.equal(answer.status, 409, `${action}: ${answer.text}`);
  }
  assertProblem(await pay(1, testKey('mallory')), 409, 'SIGNATURE_INVALID');
  // The session and the agent cannot use each other's keys.
  assertProblem(await pay(1, testKey('alice')), 409, 'SIGNATURE_INVALID');
  const asAgent = node.intent('alice', 'transfer', { to: 'bob', amount: 1 }, { key });
  assertProblem(await node.post('/v1/intents', asAgent), 409, 'SIGNATURE_INVALID');
  assert.deepEqual(node.state(), state);
});

test('a simulation counts its budget too, and changes nothing', async () => {
  const intent = node.intent(
    'alice',
    'transfer',
    { to: 'bob', amount: 41 },
    { sessionId: 'phone', key },
  );
  const { body } = await node.post('/v1/intents:simulate', intent);
  assert.equal(body['outcome'], 'refused', JSON.stringify(body));
  assert.equal((body['refusal'] as JsonObject)['code'], 'SESSION_BUDGET_EXCEEDED');
});

test('it ends by its own word, with an event that says what it took', async () => {
  const answer = await send('revokeSession', { agentId: 'alice', sessionId: 'phone' });
  assert.equal(answer.status, 201, answer.text);
  const { events } = answer.body['receipt'] as unknown as { events: JsonObject[] };
  const end = events.find(({ type }) => type === 'SessionEnded');
  assert.deepEqual(end?.['data'], {
    agentId: 'alice',
    sessionId: 'phone',
    reason: 'REVOKED',
    spent: 60,
  });
  assertProblem(await pay(1), 409, 'SESSION_UNKNOWN');
  assert.deepEqual(await sessionsOf(), []);
});
