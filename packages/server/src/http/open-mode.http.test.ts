/** Open mode: bare payloads on the paths of resources, from this machine only. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { checkpointOf, handoverOf, hashOf, offerOf, workOrderOf } from '@netd/ledger/testing';
import { MAX_ENVELOPE_BYTES, type ErrorCode, type JsonObject, type Receipt } from '@netd/protocol';
import { serve, ServeError } from '@netd/node';
import { assertProblem, HttpNode, parseRawAnswer } from '@netd/testkit/http-node';
import { becomeProvider } from '@netd/testkit/runtime-provider';
import { verifyUrl } from '@netd/sync';

let node: HttpNode;
let provider = '';
before(async () => {
  node = await HttpNode.start({ open: true });
  for (const name of ['alice', 'bob']) {
    await node.join(name);
    const actions = ['faucet', 'createWorkOrder'];
    await node.act(name, 'extendAgentCapabilities', { agentId: name, actions });
    await node.act(name, 'faucet', { amount: 100_000_000 });
  }
  provider = await becomeProvider(node);
  await node.act(provider, 'registerRuntimeOffer', offerOf(node, provider, 'runtime-1'));
});
after(() => node.stop());

const bareOrder = (orderId: string, members: JsonObject = {}): JsonObject => ({
  requesterId: 'alice',
  ...workOrderOf(orderId),
  ...members,
});

test('the network says that it is open', async () => {
  assert.equal((await node.document('/v1/network'))['open'], true);
});

test('bare payloads are executed, read back as what they are, and replayed', async () => {
  const bodies: [path: string, body: JsonObject, actorId: string, action: string][] = [
    ['/v1/work-orders', bareOrder('w-1'), 'alice', 'createWorkOrder'],
    ['/v1/memory/checkpoints', checkpointOf('bob', 1), 'bob', 'commitMemoryCheckpoint'],
    [
      '/v1/memory/handovers',
      handoverOf(node, 'bob', 'h-1', {
        checkpointHash: hashOf(1),
        targetProviderId: provider,
      }),
      'bob',
      'prepareMemoryHandover',
    ],
  ];
  for (const [path, body, actorId, action] of bodies) {
    const answer = await node.post(path, body);
    assert.equal(answer.status, 201, answer.text);
    const receipt = answer.body['receipt'] as unknown as Receipt;
    const links = answer.body['links'] as Record<string, string>;
    for (const link of Object.values(links)) await node.document(link);
    const { kind, envelope } = await node.document(`/v1/transitions/${receipt.transitionHash}`);
    assert.equal(kind, 'open');
    const { nonce, payload, ...rest } = envelope as JsonObject;
    assert.deepEqual(rest, { schema: 'NET-OPEN-TRANSITION/1', actorId, action });
    assert.match(nonce as string, /^[0-9a-f-]{36}$/);
    const { requesterId: _, ...orderPayload } = body;
    assert.deepEqual(payload, orderPayload);
    const block = await node.document(`/v1/blocks/${receipt.height}`);
    const [listed] = block['transitions'] as JsonObject[];
    assert.deepEqual([listed?.['kind'], listed?.['envelope']], ['open', envelope]);
    const [event] = receipt.events;
    const events = await node.document(`/v1/events?type=${event?.type}`);
    assert.ok((events['events'] as JsonObject[]).some(({ id }) => id === event?.id));
  }
  assert.equal((await node.document('/v1/work-orders/w-1'))['schema'], 'NET-WORK-ORDER/1');
  const report = await verifyUrl(node.url, {});
  assert.deepEqual([report.ok, report.fault], [true, null]);
  assert.equal(report.height, node.height);
});

test('the same bare payload again is another transition, which its own rules judge', async () => {
  const body = bareOrder('w-twice');
  assert.equal((await node.post('/v1/work-orders', body)).status, 201);
  assertProblem(await node.post('/v1/work-orders', body), 409, 'WORK_ORDER_EXISTS');
});

test('a bare payload needs the secret of the node, because a proxy lets strangers in', async () => {
  const earlier = node.state();
  const body = bareOrder('w-of-a-stranger');
  const loopback = { host: `127.0.0.1:${node.port}` };
  for (const given of ['', 'a guess']) {
    const answer = await node.post('/v1/work-orders', body, {
      ...loopback,
      'x-net-control': given,
    });
    assertProblem(answer, 403, 'CONTROL_TOKEN_REQUIRED');
  }
  const signed = node.intent('alice', 'createWorkOrder', workOrderOf('w-without'));
  assert.deepEqual(node.state(), earlier);
  const without = await node.post('/v1/work-orders', signed, { 'x-net-control': '' });
  assert.equal(without.status, 201, without.text);
});

test('signed intents go their way as on any chain', async () => {
  const intent = node.intent('alice', 'createWorkOrder', workOrderOf('w-signed'));
  const forged = { ...intent, nonce: 'another' };
  assertProblem(await node.post('/v1/work-orders', forged), 409, 'SIGNATURE_INVALID');
  const other = node.intent('alice', 'withdrawBeacon', { agentId: 'alice' });
  assertProblem(await node.post('/v1/work-orders', other), 409, 'ACTION_MISMATCH');
  const proxied = await node.post('/v1/work-orders', intent, { 'x-forwarded-for': '192.0.2.1' });
  assert.equal(proxied.status, 201, proxied.text);
});

test('an open transition is nothing to send: the node makes it', async () => {
  const open = {
    schema: 'NET-OPEN-TRANSITION/1',
    actorId: 'alice',
    nonce: 'mine',
    action: 'createWorkOrder',
    payload: workOrderOf('w-own'),
  };
  assertProblem(await node.post('/v1/intents', open), 400, 'ENVELOPE_INVALID');
  assertProblem(await node.post('/v1/work-orders', open), 409, 'PAYLOAD_INVALID');
  const named = { ...open, requesterId: 'alice' };
  assertProblem(await node.post('/v1/work-orders', named), 409, 'PAYLOAD_INVALID');
});

const REFUSED: [what: string, body: JsonObject | string, status: number, code: ErrorCode][] = [
  ['no actor', workOrderOf('w-x'), 409, 'PAYLOAD_INVALID'],
  ['a number that acts', bareOrder('w-x', { requesterId: 7 }), 409, 'PAYLOAD_INVALID'],
  [
    'an endless name that acts',
    bareOrder('w-x', { requesterId: 'x'.repeat(2_049) }),
    400,
    'ENVELOPE_INVALID',
  ],
  ['an endless title', bareOrder('w-x', { title: 'x'.repeat(2_049) }), 400, 'ENVELOPE_INVALID'],
  ['an empty body', '', 400, 'ENVELOPE_INVALID'],
  ['a list', '[]', 400, 'ENVELOPE_INVALID'],
  ['half an object', '{"requesterId":"alice"', 400, 'ENVELOPE_INVALID'],
  ['a float', '{"requesterId":"alice","funding":1.5}', 400, 'ENVELOPE_INVALID'],
  ['a stranger who acts', bareOrder('w-x', { requesterId: 'nobody' }), 409, 'ACTOR_UNKNOWN'],
  ['a further member', bareOrder('w-x', { note: '' }), 409, 'PAYLOAD_INVALID'],
  ['no title', { requesterId: 'alice', orderId: 'w-x' }, 409, 'PAYLOAD_INVALID'],
  ['what it cannot pay', bareOrder('w-x', { funding: 10 ** 12 }), 409, 'INSUFFICIENT_BALANCE'],
  ['an empty signature', { ...bareOrder('w-x'), signature: '' }, 400, 'ENVELOPE_INVALID'],
];

describe('a bare payload is refused with', () => {
  for (const [what, body, status, code] of REFUSED) {
    test(`${what}: ${code}`, async () => {
      const earlier = node.state();
      assertProblem(await node.post('/v1/work-orders', body), status, code);
      assert.deepEqual(node.state(), earlier);
    });
  }
  test('more bytes than its transition may have', async () => {
    // The body is within the limit, but not once it is wrapped. It has enough members to be well-formed.
    const count = 140;
    const sized = (bytes: number): string => {
      const text = (padding: number): string =>
        JSON.stringify({
          ...checkpointOf('alice', 1),
          storageReplicas: Array.from({ length: count }, (_, i) => ({
            providerId: `p-${i}`,
            uri: `https://p.example/${'x'.repeat(Math.floor((padding + i) / count))}`,
            bundleHash: 'ab'.repeat(32),
          })),
        });
      return text(bytes - Buffer.byteLength(text(0)));
    };
    const body = sized(MAX_ENVELOPE_BYTES);
    assert.equal(Buffer.byteLength(body), MAX_ENVELOPE_BYTES);
    const earlier = node.state();
    const answer = await node.post('/v1/memory/checkpoints', body);
    assertProblem(answer, 413, 'BODY_TOO_LARGE');
    assert.deepEqual(node.state(), earlier);
  });
});

const loopbackHosts = [
  '127.0.0.1',
  'localhost',
  'LOCALHOST:80',
  '127.8.9.1:1',
  '[::1]',
  '[::1]:99',
];

describe('the source of a request', () => {
  let orders = 0;
  const send = (headers: Record<string, string>) =>
    node.post('/v1/work-orders', bareOrder(`w-from-${++orders}`, { funding: 1 }), headers);

  for (const host of loopbackHosts) {
    test(`Host ${host} is this machine`, async () => {
      assert.equal((await send({ host })).status, 201);
      assert.equal((await send({ host, origin: `http://${host}` })).status, 201);
    });
  }
  for (const headers of [
    { host: 'netd.example' },
    { host: 'netd.example:8420' },
    { host: '127.0.0.1.example' },
    { host: 'localhost.example' },
    { host: 'localhost.' },
    { host: '127.0.0.1:' },
    { host: '127.0.0.1@netd.example' },
    { host: '127.1' },
    { host: '0.0.0.0' },
    { host: '192.168.1.2' },
    { host: '[::2]' },
    { host: '::1' },
    { host: '[::1' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:1' },
    { origin: 'https://127.0.0.1' },
    { origin: 'null' },
    { origin: '' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-host': 'localhost' },
    { 'x-forwarded-proto': 'https' },
    { 'X-Forwarded-Anything': '' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '127.0.0.1' },
  ] as Record<string, string>[]) {
    test(`${JSON.stringify(headers)} is not`, async () => {
      const earlier = node.state();
      assertProblem(await send(headers), 403, 'SIGNED_INTENT_REQUIRED');
      assert.deepEqual(node.state(), earlier);
    });
  }
  test('nor is HTTP/1.0 that says no Host at all', async () => {
    const earlier = node.state();
    const body = JSON.stringify(bareOrder('w-from-nowhere'));
    const answer = await node.raw(
      `POST /v1/work-orders HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    assertProblem(parseRawAnswer(answer), 403, 'SIGNED_INTENT_REQUIRED');
    assert.deepEqual(node.state(), earlier);
  });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    test(`a form of another page could send ${type}`, async () => {
      assertProblem(await send({ 'content-type': type }), 415, 'CONTENT_TYPE_UNSUPPORTED');
    });
  }
});

describe('an open chain', () => {
  test('is not served to other machines, even if it was opened earlier', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'netd-open-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const options = { port: 0, dataDir, host: '127.0.0.1' };
    await assert.rejects(serve({ ...options, host: '0.0.0.0', open: true }), ServeError);
    await (await serve({ ...options, open: true })).stop();
    // Now there is a chain, and it is open by default.
    await assert.rejects(serve({ ...options, host: '0.0.0.0' }), /only for --host 127\.0\.0\.1/);
    await (await serve(options)).stop();
  });
});

describe('a chain in secure mode', () => {
  let secure: HttpNode;
  before(async () => {
    secure = await HttpNode.start();
    await secure.join('alice');
  });
  after(() => secure.stop());
  for (const [path, body] of [
    ['/v1/work-orders', bareOrder('w-1')],
    ['/v1/memory/checkpoints', checkpointOf('alice', 1)],
    ['/v1/memory/handovers', { agentId: 'alice', handoverId: 'h-1' }],
  ] as [string, JsonObject][]) {
    test(`takes no bare payload on ${path}`, async () => {
      const earlier = secure.state();
      assertProblem(await secure.post(path, body), 403, 'SIGNED_INTENT_REQUIRED');
      assert.deepEqual(secure.state(), earlier);
    });
  }
});
