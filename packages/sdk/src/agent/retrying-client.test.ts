/** A node that is behind what the agent has written: a copy that hands writes on has their blocks a moment later. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { NetClient } from '../client.ts';
import type { VerifiedReader } from '../verified-reader.ts';
import { AgentEmitter } from './emitter.ts';
import { mustAnswer } from './order-acts.ts';
import { RetryingClient } from './retrying-client.ts';
import { Poller } from './poller.ts';

/** Counts pauses, and takes none. */
class Hasty extends Poller {
  pauses = 0;
  override async pause(): Promise<void> {
    this.pauses++;
  }
}

/** In a list of heights: the node answers 404, because it does not know the agent. */
const GONE = 0;

/** A node that answers every question with the next of these heights, the last of them for ever. */
async function lagging(
  t: TestContext,
  heights: number[],
  network: object = {},
): Promise<{ retryingClient: RetryingClient; poller: Hasty }> {
  const server = createServer((request, response) => {
    if (request.url === '/v1/network') {
      response.end(JSON.stringify({ chainId: 'c', ...network, height: heights[0] }));
      return;
    }
    const [height] = heights.length > 1 ? heights.splice(0, 1) : heights;
    response.setHeader('content-type', 'application/json');
    if (height === GONE) {
      response.statusCode = 404;
      response.end(JSON.stringify({ code: 'AGENT_NOT_FOUND', detail: 'No such agent' }));
      return;
    }
    response.end(JSON.stringify({ schema: 'NET-AGENT/1', height, balance: height }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close().closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const poller = new Hasty(new AbortController().signal);
  const client = new NetClient({ url: `http://127.0.0.1:${port}` });
  return {
    retryingClient: new RetryingClient(client, poller, new AgentEmitter(() => {}), null),
    poller,
  };
}

const A = 'a'.repeat(64);
const ADA = ['/v1/agents/{agentId}', { agentId: 'ada' }] as const;
const heightOf = async (retryingClient: RetryingClient): Promise<number> =>
  ((await retryingClient.read(...ADA)) as unknown as { height: number }).height;

test('an answer from before what the agent wrote is asked for again until the node is there', async (t) => {
  const { retryingClient, poller } = await lagging(t, [4, 4, 7, 8, 9]);
  assert.equal(await heightOf(retryingClient), 4, 'nothing was written yet');
  retryingClient.wrote({ height: 8 });
  assert.equal(await heightOf(retryingClient), 8);
  assert.equal(poller.pauses, 2);
  assert.equal(await heightOf(retryingClient), 9);
});

test('a node that never gets there is taken as it is, and later reads do not wait as long again', async (t) => {
  const { retryingClient, poller } = await lagging(t, [5]);
  retryingClient.wrote({ height: 1_000 });
  assert.equal(await heightOf(retryingClient), 5);
  assert.equal(poller.pauses, 12);
  assert.equal(await heightOf(retryingClient), 5);
  assert.equal(poller.pauses, 12);
});

test('a height that falls is that of another chain, or of a laboratory that went back', async (t) => {
  const network = { schema: 'NET-NETWORK-STATUS/1', genesisHash: A, laboratory: true };
  const { retryingClient, poller } = await lagging(t, [9, 4, 3], network);
  const ends: unknown[] = [];
  const binding = { genesisHash: A, rulesVersion: 1, raise: async () => {} };
  retryingClient.bindTo(binding, (error) => ends.push(error));
  assert.equal(await heightOf(retryingClient), 9);
  retryingClient.wrote({ height: 9 });
  assert.equal(await heightOf(retryingClient), 4);
  assert.equal(poller.pauses, 0, 'what was written is gone: it is not waited for');
  network.genesisHash = 'b'.repeat(64);
  await assert.rejects(heightOf(retryingClient), { code: 'CHAIN_REPLACED' });
  assert.equal((ends[0] as { code: string }).code, 'CHAIN_REPLACED');
});

test('a missing document makes the client check the genesis of the node', async (t) => {
  const network = { schema: 'NET-NETWORK-STATUS/1', genesisHash: A };
  const { retryingClient } = await lagging(t, [9, GONE], network);
  const ends: unknown[] = [];
  const binding = { genesisHash: A, rulesVersion: 1, raise: async () => {} };
  retryingClient.bindTo(binding, (error) => ends.push(error));
  assert.equal(await heightOf(retryingClient), 9);
  assert.equal(await retryingClient.find(...ADA), null);
  network.genesisHash = 'b'.repeat(64);
  await assert.rejects(retryingClient.find(...ADA), { code: 'CHAIN_REPLACED' });
  assert.equal(ends.length, 1);
});

test('a version of the rules that the node does not prove is none, and a kept one stays', async (t) => {
  const network = { genesisHash: A, rules: { version: 2 } };
  const { retryingClient } = await lagging(t, [9], network);
  const raised: number[] = [];
  const raise = async (version: number): Promise<void> => void raised.push(version);
  retryingClient.bindTo({ genesisHash: A, rulesVersion: 1, raise }, () => {});
  assert.deepEqual(await retryingClient.tip(), { height: 9, genesisHash: null });
  network.rules.version = 1;
  retryingClient.bindTo({ genesisHash: A, rulesVersion: 2, raise }, () => {});
  assert.deepEqual(await retryingClient.tip(), { height: 9, genesisHash: A });
  assert.deepEqual(raised, []);
});

test('a node cannot hide a dispute from a worker with an anchor', async () => {
  const record = {
    orderId: 'o-1',
    phase: 'CONTESTED',
    requesterId: 'rita',
    workerId: 'ada',
    rulesVersion: 2,
    dispute: { openedBy: 'rita' },
  };
  const { rulesVersion: _, ...hidden } = record;
  const client = { read: async () => ({ order: { ...hidden, dispute: null } }) };
  const reader = { readState: async () => ({ value: record, height: 1 }) };
  const poller = new Hasty(new AbortController().signal);
  const shown = client as unknown as NetClient;
  const proven = reader as unknown as VerifiedReader;
  const agent = new RetryingClient(shown, poller, new AgentEmitter(() => {}), proven);
  const order = await agent.order('o-1');
  assert.ok(order && mustAnswer(order, 'ada'));
});

for (const [status, body] of [
  [403, '<html>'],
  [404, '<html>'],
  [404, '{"message":"no route"}'],
  [400, '{"code":"AGENT_NOT_FOUND","title":"t","detail":"d","errors":5}'],
] as const) {
  test(`status ${status} with ${body || 'nothing'} is no answer of the node`, async (t) => {
    const server = createServer((_request, response) => response.writeHead(status).end(body));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.close().closeAllConnections();
    });
    const { port } = server.address() as AddressInfo;
    const ending = new AbortController();
    const poller = new Poller(ending.signal);
    const offline: string[] = [];
    const events = new AgentEmitter(() => {});
    events.on('offline', ({ reason }) => {
      offline.push(reason);
      ending.abort(new Error('asked again later'));
    });
    const client = new NetClient({ url: `http://127.0.0.1:${port}` });
    const retryingClient = new RetryingClient(client, poller, events, null);
    await assert.rejects(retryingClient.find(...ADA), { message: 'asked again later' });
    assert.equal(offline.length, 1);
    await assert.rejects(client.read(...ADA), { code: `HTTP_${status}` });
  });
}

test('a list that leads in a circle ends', async (t) => {
  const following: Record<string, string> = { '': 'A', A: 'B', B: 'A' };
  let asked = 0;
  const server = createServer(({ url = '' }, response) => {
    const cursor = new URL(url, 'http://node').searchParams.get('cursor') ?? '';
    response.end(
      JSON.stringify({ agents: [], nextCursor: ++asked < 50 ? following[cursor] : null }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close().closeAllConnections();
  });
  const client = new NetClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  await assert.rejects(client.items('/v1/agents').next(), { code: 'HTTP_200' });
  assert.equal(asked, 3);
});

test('a refusal of new names that lasts for hours is an answer, any other 429 a reason to wait', async (t) => {
  let code = 'REGISTRATION_LIMIT';
  const server = createServer((_request, response) => {
    response.writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': '3600' });
    response.end(JSON.stringify({ type: 'x', title: 'x', status: 429, detail: 'x', code }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close().closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const poller = new (class extends Hasty {
    override async pause(): Promise<void> {
      await super.pause();
      code = 'FIRST_DRAW_LIMIT';
    }
  })(new AbortController().signal);
  const client = new NetClient({ url: `http://127.0.0.1:${port}` });
  const retryingClient = new RetryingClient(client, poller, new AgentEmitter(() => {}), null);
  await assert.rejects(heightOf(retryingClient), { code: 'REGISTRATION_LIMIT' });
  assert.equal(poller.pauses, 0);
  code = 'RATE_LIMITED';
  await assert.rejects(heightOf(retryingClient), { code: 'FIRST_DRAW_LIMIT' });
  assert.equal(poller.pauses, 1);
});
