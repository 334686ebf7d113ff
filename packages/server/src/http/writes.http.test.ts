/** Writes: answers of accepted ones, lost answers, limits, and a node that stops. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { beaconOf } from '@netd/ledger/testing';
import { canonicalize, hashValue, type JsonObject, type Receipt } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { assertProblem, HttpNode, parseRawAnswer, type Answer } from '@netd/testkit/http-node';

describe('an accepted write', () => {
  let node: HttpNode;
  before(async () => {
    node = await HttpNode.start();
  });
  after(() => node.stop());

  test('of an agent answers with its receipt and with links to read it', async () => {
    const envelope = node.registration('alice', { description: 'reads papers' });
    const { status, headers, body } = await node.post('/v1/agents/register', envelope);
    assert.equal(status, 201);
    assert.equal(headers['location'], '/v1/agents/alice');
    assert.match(String(headers['content-type']), /^application\/json/);
    const receipt = body['receipt'] as unknown as Receipt;
    assert.equal(receipt.transitionHash, hashValue(envelope));
    for (const name of ['height', 'blockHash', 'transitionHash'] as const) {
      assert.equal(body[name], receipt[name]);
    }
    assert.deepEqual([body['agentId'], body['status']], ['alice', 'active']);
    for (const link of Object.values(body['links'] as Record<string, string>)) {
      assert.equal((await node.get(link)).status, 200, link);
    }
    const certificate = await node.document(
      `/v1/consensus/certificates/${receipt.certificateHash}`,
    );
    assert.equal(certificate['blockHash'], receipt.blockHash);
    assert.equal(certificate['stateRoot'], receipt.stateRoot);
  });

  test('of an intent says the same', async () => {
    const intent = node.intent('alice', 'publishBeacon', beaconOf('alice', node.height));
    const { status, headers, body } = await node.post('/v1/intents', intent);
    assert.equal(status, 201);
    const receipt = body['receipt'] as unknown as Receipt;
    assert.equal(receipt.transitionHash, hashValue(intent));
    assert.equal(headers['location'], `/v1/transitions/${receipt.transitionHash}`);
    assert.deepEqual(
      [body['status'], body['actorId'], body['action']],
      ['committed', 'alice', 'publishBeacon'],
    );
    const transition = await node.document(headers['location'] ?? '');
    assert.deepEqual(transition['receipt'], body['receipt']);
    assert.deepEqual(transition['envelope'], intent);
  });

  test('is executed once, however it is spelled', async () => {
    const envelope = node.registration('spelled', { description: 'ä"\\/🦊' });
    const shuffled = `\n\t${JSON.stringify(Object.fromEntries(Object.entries(envelope).toReversed()), null, 2)} `;
    const first = await node.post('/v1/agents/register', shuffled);
    assert.equal(first.status, 201, first.text);
    assert.equal(first.body['transitionHash'], hashValue(envelope));
    const escaped = canonicalize(envelope)
      .replaceAll('ä', '\\u00e4')
      .replaceAll('🦊', '\\uD83E\\uDD8A');
    const again = assertProblem(
      await node.post('/v1/agents/register', escaped),
      409,
      'AGENT_EXISTS',
    );
    assert.deepEqual(again.receipt, first.body['receipt']);
  });

  test('whose answer is lost is found again by sending the same bytes', async () => {
    const body = canonicalize(node.registration('lost'));
    const socket = connect(node.port, '127.0.0.1');
    socket.pause();
    await written(socket, post('/v1/agents/register', body));
    while ((await node.get('/v1/agents/lost')).status === 404) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    socket.resetAndDestroy();
    const again = assertProblem(await node.post('/v1/agents/register', body), 409, 'AGENT_EXISTS');
    const { transitionHash } = again.receipt as Receipt;
    assert.equal(transitionHash, hashValue(JSON.parse(body) as JsonObject));
  });

  test('keeps the order in which one connection sends', async () => {
    const intents = [3, 4, 5, 6].map((sequence) =>
      canonicalize(
        node.intent('alice', 'publishBeacon', beaconOf('alice', node.height, { sequence })),
      ),
    );
    const text = await node.raw(
      `${intents.map((intent) => post('/v1/intents', intent)).join('')}GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    assert.deepEqual(
      [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status),
      ['201', '201', '201', '201', '200'],
    );
  });

  test('many at once are all answered, each once, each with its own place', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        node.post('/v1/agents/register', node.registration(`crowd-${i}`)),
      ),
    );
    const places = answers.map(({ status, body, text }) => {
      assert.equal(status, 201, text);
      const { height, index } = body['receipt'] as unknown as Receipt;
      return `${height}.${index}`;
    });
    assert.equal(new Set(places).size, 200);
  });
});

describe('overload', () => {
  let node: HttpNode;
  before(async () => {
    node = await HttpNode.start({ admission: { total: 3, perAddress: 3 }, blockTime: 600 });
  });
  after(() => node.stop());

  test('is reported at once, before any signature is looked at, and passes', async () => {
    const envelopes = Array.from({ length: 9 }, (_, i) => node.registration(`queued-${i}`));
    const answers = await Promise.all(
      envelopes.map((envelope) => node.post('/v1/agents/register', envelope)),
    );
    const refused = envelopes.filter((_, i) => answers[i]?.status !== 201);
    assert.ok(refused.length >= 3 && refused.length <= 6, `${refused.length} were refused`);
    for (const answer of answers) {
      if (answer.status === 201) continue;
      assertProblem(answer, 503, 'OVERLOADED');
      assert.equal(answer.headers['retry-after'], '1');
    }
    const slow = node.post('/v1/agents/register', refused[0]!);
    assert.equal((await node.get('/health')).status, 200, 'reads go on');
    assert.equal((await slow).status, 201);
    const garbage = Array.from({ length: 3 }, () => node.post('/v1/agents/register', '{'));
    await Promise.all(garbage);
    assert.equal(
      (await node.post('/v1/agents/register', refused[1]!)).status,
      201,
      'no place was lost',
    );
  });
});

describe('bound to more than this machine', () => {
  let node: HttpNode;
  before(async () => {
    node = await HttpNode.start({ host: '0.0.0.0', writesPerMinute: 6 });
  });
  after(() => node.stop());

  test('an address may write so often a minute, and is told how often', async () => {
    for (let i = 0; i < 6; i++) {
      const answer = await node.post(
        '/v1/agents/register',
        i % 2 ? '{}' : node.registration(`rated-${i}`),
      );
      assert.ok([201, 400].includes(answer.status), answer.text);
      assert.equal(answer.headers['ratelimit-limit'], '6');
      assert.equal(answer.headers['ratelimit-remaining'], String(5 - i));
    }
    for (const path of ['/v1/agents/register', '/v1/intents', '/v1/intents:simulate']) {
      const first = await node.post(path, '{}');
      if (path !== '/v1/agents/register' && first.status === 400) continue;
      assertProblem(first, 429, 'RATE_LIMITED');
      const wait = Number(first.headers['retry-after']);
      assert.ok(wait >= 1 && wait <= 60, String(wait));
      assert.equal(first.headers['ratelimit-remaining'], '0');
    }
  });
  test('reads have no limit', async () => {
    for (let i = 0; i < 100; i++) assert.equal((await node.get('/v1/agents')).status, 200);
  });
  test('ignores a forwarding header', async () => {
    const answer = await node.post('/v1/agents/register', '{}', {
      'x-forwarded-for': '203.0.113.7',
    });
    assertProblem(answer, 429, 'RATE_LIMITED');
  });
});

for (const host of ['0.0.0.0', '127.0.0.1'])
  test(`behind a trusted proxy the forwarded address counts, at ${host}`, async () => {
    const node = await HttpNode.start({ host, writesPerMinute: 1, trustProxy: 1 });
    const from = (address: string): Promise<Answer> =>
      node.post('/v1/agents/register', '{}', { 'x-forwarded-for': address });
    assert.equal((await from('203.0.113.7')).status, 400);
    assert.equal((await from('203.0.113.7')).status, 429);
    assert.equal((await from('203.0.113.8')).status, 400);
    assert.equal((await from('2001:db8:1:2::1')).status, 400);
    assert.equal((await from('2001:db8:1:2:ffff::9')).status, 429, 'the same /64');
    assert.equal((await from('2001:db8:1:3::1')).status, 400);
    const forged = '198.51.100.1, 203.0.113.7';
    assert.equal((await from(forged)).status, 429, 'what the client had sent');
    await node.stop();
  });

describe('a node that stops', () => {
  test('answers the writes that are in, and starts again with them', async (t) => {
    const node = await HttpNode.start({ blockTime: 300 });
    await node.description();
    await node.join('before');
    const { store, mempool } = node.running.node;
    const registered = (): number => {
      const snapshot = store.snapshot();
      const events = snapshot.eventsAfter(0, 100);
      snapshot.close();
      return events.filter(({ type }) => type === 'AgentRegistered').length;
    };
    const known = registered();
    const writes = Array.from({ length: 5 }, (_, i) =>
      node.post('/v1/agents/register', node.registration(`leaving-${i}`)),
    );
    // All of them wait for a block, except those that a block already contains.
    await until(() => mempool.admittedCount + registered() === known + 5);
    const { mock } = t.mock.method(node.running.app.server, 'closeAllConnections');
    await node.running.stop();
    assert.equal(mock.callCount(), 0, 'connections that are kept alive hold it up');
    for (const answer of await Promise.all(writes)) assert.equal(answer.status, 201, answer.text);
    const again = await HttpNode.start({ dataDir: node.dataDir });
    for (let i = 0; i < 5; i++)
      assert.equal((await again.get(`/v1/agents/leaving-${i}`)).status, 200);
    await again.stop();
  });

  test('tells those who ask meanwhile that it is not ready, and takes no writes', async () => {
    const node = await HttpNode.start({ blockTime: 300 });
    await node.description();
    const body = canonicalize(node.registration('too-late'));
    const requests = [
      'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n',
      post('/v1/agents/register', body),
      'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n',
    ];
    const { server } = node.running.app;
    const accepted: Socket[] = [];
    server.on('connection', (socket: Socket) => accepted.push(socket));
    // Send half a request each, so that the connections are not idle when the node stops.
    const open = await Promise.all(
      requests.map(async (request) => {
        const socket = connect(node.port, '127.0.0.1');
        const parts: Buffer[] = [];
        socket.on('data', (part: Buffer) => parts.push(part));
        await written(socket, request.slice(0, 10));
        return { socket, request, parts };
      }),
    );
    await until(() => accepted.filter(({ bytesRead }) => bytesRead > 0).length === open.length);
    const stopped = node.running.stop();
    const answers = await Promise.all(
      open.map(async ({ socket, request, parts }) => {
        const closed = new Promise((resolve) => socket.once('close', resolve));
        await written(socket, request.slice(10));
        await closed;
        return parseRawAnswer(Buffer.concat(parts).toString('latin1'));
      }),
    );
    await stopped;
    const [ready, write, live] = answers;
    for (const answer of [ready!, write!]) {
      assertProblem(answer, 503, 'NODE_NOT_READY');
      assert.match(String(answer.headers['retry-after']), /^\d+$/);
    }
    assert.equal(live?.status, 200);
    const again = await HttpNode.start({ dataDir: node.dataDir });
    assert.equal((await again.get('/v1/agents/too-late')).status, 404);
    await again.stop();
  });

  test('does not wait for ever for a request that never ends', async () => {
    const node = await HttpNode.start();
    await node.description();
    const socket = connect(node.port, '127.0.0.1');
    socket.on('error', () => {});
    await written(
      socket,
      'POST /v1/intents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    await node.stop();
    socket.destroy();
  });
});

const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

function written(socket: Socket, bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
