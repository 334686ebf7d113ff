/** Rate limits, and the address that a request counts for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrustProxy } from '@netd/client-limits';
import { isPassedOn } from './loopback.ts';
import { assertProblem, HttpNode, type Answer } from '@netd/testkit/http-node';

const post = (node: HttpNode, forwarded: string): Promise<Answer> =>
  node.post('/v1/agents/register', '{}', { 'x-forwarded-for': forwarded });

test('a refusal says whose share it was, how large, and when there is more', async (t) => {
  const node = await HttpNode.start({ trustProxy: 1, writesPerMinute: 1 });
  t.after(() => node.stop());
  for (const [address, share] of [
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2::7', '2001:db8:1:2::/64'],
  ] as const) {
    await post(node, address);
    const refused = await post(node, address);
    const wait = String(refused.headers['retry-after']);
    const said = `${share} has sent the 1 writes that an address may send in a minute; try again in ${wait} s. `;
    const { detail } = assertProblem(refused, 429, 'RATE_LIMITED');
    assert.ok(detail.startsWith(said), detail);
  }
});

/** Chains of proxies, and the address that counts. */
const CHAINS: [name: string, trust: TrustProxy, forwarded: string, other: string][] = [
  [
    'two proxies, the outer one behind the client',
    2,
    '9.9.9.9, 203.0.113.7, 10.0.0.1',
    '203.0.113.7, 10.0.0.2',
  ],
  [
    'named ranges',
    ['loopback', '10.0.0.0/8'],
    '10.9.9.9, 203.0.113.7, 10.0.0.1, 10.0.0.2',
    '203.0.113.7',
  ],
];
for (const [name, trustProxy, forwarded, other] of CHAINS) {
  test(`counts the address that the outermost proxy has seen: ${name}`, async (t) => {
    const node = await HttpNode.start({ trustProxy, writesPerMinute: 1 });
    t.after(() => node.stop());
    assert.equal((await post(node, forwarded)).status, 400);
    assert.equal((await post(node, other)).status, 429, 'the same client');
    assert.equal((await post(node, forwarded.replace('203.0.113.7', '203.0.113.8'))).status, 400);
  });
}

test('ignores the forwarded address from an untrusted proxy', async (t) => {
  const node = await HttpNode.start({ trustProxy: ['10.0.0.0/8'], writesPerMinute: 1 });
  t.after(() => node.stop());
  assert.equal((await post(node, '203.0.113.7')).status, 400);
  assert.equal((await post(node, '203.0.113.8')).status, 429, 'both came from 127.0.0.1');
});

test('reads have a limit if the operator sets one', async (t) => {
  const node = await HttpNode.start({ host: '0.0.0.0', readsPerMinute: 4 });
  t.after(() => node.stop());
  // This is the first request.
  await node.description();
  for (let i = 0; i < 3; i++)
    assert.equal((await node.get(`/v1/agents?limit=${i + 1}`)).status, 200);
  assert.equal((await node.get('/v1/agents?limit=1')).status, 200, 'what lies ready costs nothing');
  const refused = await node.get('/v1/agents?limit=9');
  const { detail } = assertProblem(refused, 429, 'RATE_LIMITED');
  assert.match(detail, /^127\.0\.0\.1 has sent the 4 reads /);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal(
    (await node.post('/v1/agents/register', '{}')).status,
    400,
    'writes count by themselves',
  );
});

test('names of an address are counted, on loopback only if a proxy passes them on', async (t) => {
  const newcomers = { registrationsPerHour: 1, firstDrawsPerDay: 1 };
  const believed = await HttpNode.start({ trustProxy: 1, newcomers });
  const loopback = await HttpNode.start({ newcomers });
  t.after(() => Promise.all([believed.stop(), loopback.stop()]));
  const forwarded = { 'x-forwarded-for': '203.0.113.7' };
  const register = (node: HttpNode, actorId: string, headers = {}): Promise<Answer> =>
    node.post('/v1/agents/register', node.registration(actorId), headers);
  const one = believed.registration('one');
  const registerOne = () => believed.post('/v1/agents/register', one, forwarded);
  assert.equal((await registerOne()).status, 201);
  const refused = await register(believed, 'two', forwarded);
  assertProblem(refused, 429, 'REGISTRATION_LIMIT');
  assert.ok(Number(refused.headers['retry-after']) > 3_500);
  assert.equal((await registerOne()).status, 409, 'a duplicate is answered as one');
  const other = { 'x-forwarded-for': '203.0.113.8' };
  assert.equal((await register(believed, 'two', other)).status, 201);

  const draw = async (agentId: string): Promise<Answer> => {
    await believed.act(agentId, 'extendAgentCapabilities', { agentId, actions: ['faucet'] });
    return believed.post(
      '/v1/intents',
      believed.intent(agentId, 'faucet', { amount: 1 }),
      forwarded,
    );
  };
  assert.equal((await draw('one')).status, 201);
  assertProblem(await draw('two'), 429, 'FIRST_DRAW_LIMIT');
  const drawn = believed.intent('one', 'faucet', { amount: 1 });
  const again = await believed.post('/v1/intents', drawn, forwarded);
  assert.equal(again.status, 201, 'one has drawn before');

  for (const name of ['ada', 'bea']) assert.equal((await register(loopback, name)).status, 201);
  const faults = async () => JSON.stringify((await loopback.get('/health')).body);
  assert.doesNotMatch(await faults(), /--trust-proxy/);
  // A proxy that adds no header is recognized by the requested host name.
  assert.equal((await register(loopback, 'cleo', { host: 'node.example' })).status, 201);
  assert.match(await faults(), /a proxy on this machine .* start with --trust-proxy/);
  assertProblem(
    await register(loopback, 'erin', { host: 'node.example' }),
    429,
    'REGISTRATION_LIMIT',
  );
  const here = { host: '127.0.0.1:8420' };
  assert.deepEqual(
    [isPassedOn(here, '1.0'), isPassedOn(here, '1.1')],
    [true, false],
    'nginx as it is',
  );
  assertProblem(await register(loopback, 'dora', forwarded), 429, 'REGISTRATION_LIMIT');
  assert.match(await faults(), /a proxy on this machine .* start with --trust-proxy/);
});
