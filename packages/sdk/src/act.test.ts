/** Requests and defaults of `act`, and its reaction to late, lost and refused answers. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { amountHint, hashValue, type JsonObject } from '@netd/protocol';
import type { PayloadOf } from './actions.ts';
import { AgentKey } from './agent-key.ts';
import { NetClient, type Actor } from './client.ts';
import { NetError } from './http.ts';
import type { Agent, Receipt, WorkOrder, WorkScope } from './index.ts';
import { retryDelay } from './submission.ts';
import { startRecordedNode, type RecordedNode } from './testing/recorded-node.ts';
import type { RecordingProxy } from './testing/recording-proxy.ts';

let node: RecordedNode;
let proxy: RecordingProxy;
let client: NetClient;
let ada: Actor;

before(async () => {
  node = await startRecordedNode();
  ({ proxy, ada } = node);
});
beforeEach(() => {
  client = node.freshClient();
});
after(() => node.stop());

const FAUCET = { actions: ['faucet' as const] };
const ORDER = { orderId: 'o-1', title: 'A haiku', jobType: 'haiku', scopeHash: '00'.repeat(32) };
const refusal = (code: string, status: number, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: JSON.stringify({ type: '', title: '', status, detail: 'No', code, requestId: 'r-1' }),
});

/** Never called: the compiler checks these lines. */
export async function typesOfActions(typed: NetClient, anyName: string): Promise<void> {
  await typed.act('faucet', { amount: 1 });
  await typed.act('acceptWork', { orderId: 'o-1' });
  await typed.act(anyName, { whatever: true });
  await typed.act('faucet', { amount: '1 NET' });
  await typed.simulate('createWorkOrder', { ...ORDER, funding: '0.5 NET', workerBond: '5NET' });
  await typed.act('createOperatorInvitation', {
    applicationId: 'a-1',
    capabilities: [{ action: 'faucet', maxAmount: '5 NET' }],
  });
  // @ts-expect-error: no amount
  await typed.act('faucet', { amount: '1 EUR' });
  // @ts-expect-error: an amount of a token, which no word is one of
  await typed.act('mintToken', { tokenId: 'tok-one', amount: '1 NET' });
  await typed.act('createOperatorInvitation', {
    applicationId: 'a-1',
    // @ts-expect-error: no amount
    capabilities: [{ action: 'faucet', maxAmount: '5' }],
  });
  ({ endpoint: '', capabilities: [], protocols: [] }) satisfies PayloadOf<'publishBeacon'>;
  // @ts-expect-error: a number
  await typed.act('faucet', { amount: '1' });
  // @ts-expect-error: no such member
  await typed.act('faucet', { amount: 1, memo: '' });
  // @ts-expect-error: a member is missing
  await typed.act('acceptWork', {});
  // @ts-expect-error: no such action
  await typed.act('fly', {});
  // @ts-expect-error: no such action
  await typed.simulate('fly', {});
  try {
    await typed.act(anyName, {});
  } catch (error) {
    // @ts-expect-error: no such code
    if (error instanceof NetError && error.code === 'TOO_POOR') throw error;
  }
}

/** Never called, as the one above. */
export async function typesOfAgents(agent: Agent, anyName: string): Promise<void> {
  await agent.act('faucet', { amount: 1 }, { id: 'once' });
  await agent.act('acceptWork', { orderId: 'o-1' });
  await agent.act('transfer', { to: 'bob', amount: '0.1 NET' });
  await agent.act(anyName, { whatever: true });
  // @ts-expect-error: no such action
  await agent.act('tranfer', { amont: 1 });
  // @ts-expect-error: no such member
  await agent.act('transfer', { to: 'bob', amont: 1 });
  // @ts-expect-error: a member is missing
  await agent.act('transfer', { to: 'bob' });
  // @ts-expect-error: no such event
  agent.on('payed', () => {});
  agent.on('paid', ({ amount, receipt }) => [
    amount satisfies number,
    receipt satisfies Receipt | null,
  ]);
  // @ts-expect-error: no such fact
  agent.on('paid', ({ amout }) => amout);
  const order: WorkOrder = await agent.accept('o-1', { workerBond: '1 NET' });
  const scope: WorkScope = (await agent.offer(order.orderId)).scope;
  scope.acceptance[0] satisfies { kind: string } | undefined;
}

describe('what an action asks the node for', () => {
  test('the chain once, and then nothing but the actions', async () => {
    await client.act('extendAgentCapabilities', FAUCET);
    for (const amount of [1, 2, 3]) await client.act('faucet', { amount });
    assert.deepEqual(proxy.taken(), ['GET /v1/network', ...Array(4).fill('POST /v1/intents')]);
  });

  test('once for all who begin together', async () => {
    await Promise.all([1, 2, 3].map((amount) => client.act('faucet', { amount })));
    assert.deepEqual(proxy.taken().toSorted(), [
      'GET /v1/network',
      ...Array(3).fill('POST /v1/intents'),
    ]);
  });

  test('names the genesis once the node has version 2 of the rules, whatever it says later', async (t) => {
    const { genesisHash, ...network } = await node.direct.network();
    let version = 1;
    proxy.interfere = ({ path }) => {
      if (path !== '/v1/network') return undefined;
      const rules = { ...network.rules, version };
      return { status: 200, body: JSON.stringify({ ...network, genesisHash, rules }) };
    };
    const named = async (): Promise<unknown> => {
      await client.act('faucet', { amount: 1 });
      return node.sentIntents().at(-1)?.['genesisHash'];
    };
    assert.equal(await named(), undefined);
    version = 2;
    // One mock: a second one would leave the first behind, for every later file of the process.
    let clock = 3_600_000;
    t.mock.method(performance, 'now', () => clock);
    assert.equal(await named(), genesisHash);
    version = 1;
    clock = 7_200_000;
    assert.equal(await named(), genesisHash);
  });

  test('gets refusals, and nothing else, for a false word about version or genesis', async () => {
    const network = await node.direct.network();
    const say = (version: number, genesisHash: string): void => {
      client = node.freshClient();
      const said = { ...network, genesisHash, rules: { ...network.rules, version } };
      proxy.interfere = ({ path }) =>
        path === '/v1/network' ? { status: 200, body: JSON.stringify(said) } : undefined;
    };
    say(2, 'f'.repeat(64));
    const refused = client.act('faucet', { amount: 1 });
    await assert.rejects(refused, { code: 'GENESIS_HASH_MISMATCH' });
    say(1, network.genesisHash);
    const order = client.act('createWorkOrder', { ...ORDER, funding: 1, jury: 'none' });
    await assert.rejects(order, { code: 'CAPABILITY_MISSING' });
    const { payload } = node.sentIntents().at(-1) as { payload: JsonObject };
    assert.equal(payload['jury'], 'none', 'the node decides about it');
  });

  test('again with a new intent if the first one expired', async () => {
    await client.act('faucet', { amount: 1 });
    proxy.taken();
    let refused = 0;
    proxy.interfere = ({ path }) =>
      path === '/v1/intents' && refused++ === 0 ? refusal('INTENT_EXPIRED', 409) : undefined;
    await client.act('faucet', { amount: 1 });
    const [first, second] = node.sentIntents();
    // Should the refusal be a lie, the chain still executes only one of them.
    assert.equal(first?.['nonce'], second?.['nonce']);
    assert.deepEqual(proxy.taken(), ['POST /v1/intents', 'GET /v1/network', 'POST /v1/intents']);
    proxy.interfere = ({ path }) =>
      path === '/v1/intents' ? refusal('INTENT_EXPIRED', 409) : undefined;
    await assert.rejects(client.act('faucet', { amount: 1 }), { code: 'INTENT_EXPIRED' });
    assert.equal(node.sentIntents().length, 2);
  });

  test('with no second intent that expires earlier, unless the node is on this machine', async (t) => {
    for (const [url, height, sent] of [
      ['https://node.example', 400, 1],
      ['https://node.example', 1_100, 2],
      ['http://127.0.0.1:1', 400, 2],
    ] as const) {
      const heights = [1_000, height];
      const intents: JsonObject[] = [];
      t.mock.method(globalThis, 'fetch', async (_: string, { body }: RequestInit) => {
        if (typeof body !== 'string') {
          const told = { chainId: 'c-1', genesisHash: '0'.repeat(64), height: heights.shift() };
          return Response.json({ ...told, blockHash: '0'.repeat(64) });
        }
        intents.push(JSON.parse(body) as JsonObject);
        const { status, body: problem } = refusal('INTENT_EXPIRED', 409);
        return new Response(problem, { status });
      });
      const far = new NetClient({ url, actor: ada });
      await assert.rejects(far.act('faucet', { amount: 1 }), { code: 'INTENT_EXPIRED' });
      t.mock.restoreAll();
      assert.equal(intents.length, sent, `${url} ${height}`);
      assert.equal(new Set(intents.map(({ nonce }) => nonce)).size, 1);
    }
  });

  test('a client that began on one chain signs for no other', async () => {
    await client.act('faucet', { amount: 1 });
    proxy.interfere = ({ path }) =>
      path === '/v1/intents' ? refusal('CHAIN_ID_MISMATCH', 409) : undefined;
    proxy.taken();
    await assert.rejects(client.act('faucet', { amount: 1 }), { code: 'CHAIN_ID_MISMATCH' });
    assert.deepEqual(proxy.taken(), ['POST /v1/intents']);
  });
});

describe('defaults', () => {
  test('the actor, constants, an expiry, and of a beacon its hash and sequence', async () => {
    const payload = {
      endpoint: 'https://ada.example/a2a',
      capabilities: ['reading'],
      protocols: ['a2a/1.0'],
    };
    await client.act('publishBeacon', payload);
    await client.act('publishBeacon', payload);
    const [first, second] = node.sentIntents().map((intent) => intent['payload'] as JsonObject);
    const { height } = await client.network();
    const { expiresAtHeight, ...rest } = first ?? {};
    assert.deepEqual(rest, {
      ...payload,
      schema: 'NET-AGENT-BEACON/1',
      agentId: 'ada',
      indexable: true,
      metadataHash: hashValue(payload),
      sequence: 1,
    });
    assert.ok(Number(expiresAtHeight) > height && Number(expiresAtHeight) < height + 5_000);
    assert.equal(second?.['sequence'], 2);
  });

  test('the unet of amounts in words, and nothing is asked for a word that is none', async () => {
    await client.act('faucet', { amount: '0.5 NET' });
    await client.act('faucet', { amount: '1NET' });
    const simulated = await client.simulate('faucet', { amount: '0.5 NET' });
    assert.equal(simulated.outcome, 'accepted');
    const amounts = node.sentIntents().map(({ payload }) => (payload as JsonObject)['amount']);
    assert.deepEqual(amounts, [500_000, 1_000_000]);
    proxy.taken();
    const anyName: string = 'faucet';
    for (const amount of ['1 EUR', '5', '-1 NET', '9999999999 NET', 2.5]) {
      await assert.rejects(client.act(anyName, { amount }), {
        name: 'AmountError',
        code: 'AMOUNT_INVALID',
        path: '/amount',
        message: `/amount is not an amount: ${JSON.stringify(String(amount))}. ${amountHint(null)} [AMOUNT_INVALID]`,
      });
    }
    assert.deepEqual(proxy.taken(), []);
  });

  test('nothing that is given', async () => {
    await assert.rejects(client.act('extendAgentCapabilities', { ...FAUCET, agentId: 'somebody' }));
    const [intent = {}] = node.sentIntents();
    assert.equal((intent['payload'] as JsonObject)['agentId'], 'somebody');
  });

  test('the session if the key belongs to one', async () => {
    const actor = { ...ada, sessionId: 'session-of-nobody' };
    await assert.rejects(client.act(actor, 'faucet', { amount: 1 }), {
      code: 'SESSION_UNKNOWN',
    });
    assert.equal(node.sentIntents()[0]?.['sessionId'], 'session-of-nobody');
  });
});

describe('a session', () => {
  test('can do what its key was granted, within its budget, and nothing else', async () => {
    await client.act('extendAgentCapabilities', { actions: ['transfer'] });
    await client.act('faucet', { amount: 100 });
    const key = await AgentKey.generate();
    const grant = { sessionId: 'ada-1', actions: ['transfer' as const], budget: 10 };
    await client.grantSession(ada, { key, ...grant });
    const session = new NetClient({
      url: proxy.url,
      actor: { actorId: 'ada', sessionId: 'ada-1', key },
    });
    await client.register({ actorId: 'bob', key: await AgentKey.generate() });
    const receipt = await session.act('transfer', { to: 'bob', amount: 4 });
    assert.equal(receipt.events[0]?.type, 'Transferred');
    await assert.rejects(session.act('transfer', { to: 'bob', amount: 7 }), {
      code: 'SESSION_BUDGET_EXCEEDED',
    });
    await assert.rejects(session.act('faucet', { amount: 1 }), { code: 'SESSION_ACTION_MISSING' });
    const stranger = { actorId: 'ada', sessionId: 'ada-1', key: await AgentKey.generate() };
    await assert.rejects(client.act(stranger, 'transfer', { to: 'ada', amount: 1 }), {
      code: 'SIGNATURE_INVALID',
    });
  });
});

describe('a node that is busy', () => {
  test('is asked again with the same envelope when it says', async () => {
    await client.act('faucet', { amount: 1 });
    proxy.requests.splice(0);
    const answers = [
      refusal('OVERLOADED', 503, { 'retry-after': '0' }),
      refusal('RATE_LIMITED', 429, { 'retry-after': '0' }),
      refusal('NODE_NOT_READY', 503, { 'retry-after': new Date(0).toUTCString() }),
    ];
    proxy.interfere = () => answers.shift();
    await client.act('faucet', { amount: 1 });
    assert.equal(proxy.requests.length, 4);
    assert.equal(new Set(proxy.requests.map(({ body }) => body)).size, 1);
  });

  test('says how long to wait, within bounds', () => {
    assert.equal(retryDelay(1, 2), 2_000);
    assert.equal(retryDelay(3, 86_400), 30_000);
    assert.ok(retryDelay(2, null) > retryDelay(1, null));
  });

  test('is given up on in its own words: nothing has happened', async () => {
    await client.act('faucet', { amount: 1 });
    proxy.interfere = () => refusal('OVERLOADED', 503, { 'retry-after': '0' });
    await assert.rejects(client.act('faucet', { amount: 1 }), (error) => {
      assert.ok(error instanceof NetError);
      assert.deepEqual([error.code, error.retryAfter, error.requestId], ['OVERLOADED', 0, 'r-1']);
      return true;
    });
  });
});

describe('a simulation', () => {
  test('says what would happen, and hands out no signature', async () => {
    const { balance } = (await client.read('/v1/agents/{agentId}', { agentId: 'ada' })).account;
    proxy.taken();
    const { outcome, events } = await client.simulate('faucet', { amount: 3 });
    assert.equal(outcome, 'accepted');
    assert.deepEqual(
      events.map(({ type }) => type),
      ['FaucetPaid'],
    );
    const refused = await client.simulate({ actorId: 'nobody' }, 'faucet', { amount: 3 });
    assert.equal(refused.refusal?.code, 'ACTOR_UNKNOWN');
    for (const { path, body } of proxy.requests) {
      assert.equal(path, '/v1/intents:simulate');
      assert.ok(!body.includes('signature'));
    }
    const { account } = await client.read('/v1/agents/{agentId}', { agentId: 'ada' });
    assert.equal(account.balance, balance);
  });
});
