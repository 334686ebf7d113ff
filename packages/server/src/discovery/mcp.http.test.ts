/** Checks over raw HTTP, point by point, that the node is a conforming, read-only MCP endpoint. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MAX_ENVELOPE_BYTES, type JsonObject } from '@netd/protocol';
import { HttpNode, type Answer } from '@netd/testkit/http-node';

const VERSION = '2026-07-28';
const LOADED = { discoveryPerMinute: 100_000 };

let node: HttpNode;
before(async () => {
  node = await HttpNode.start(LOADED);
});
after(() => node.stop());

type Headers = Record<string, string>;

function send(body: unknown, headers: Headers = {}): Promise<Answer> {
  return node.post('/mcp', JSON.stringify(body), headers);
}

function ask(method: string, params?: JsonObject, headers: Headers = {}): Promise<Answer> {
  return send({ jsonrpc: '2.0', id: 1, method, ...(params ? { params } : {}) }, headers);
}

/** Sends a request of version 2026-07-28, where each request names its client. */
function askModern(
  method: string,
  params: JsonObject = {},
  headers: Headers = {},
): Promise<Answer> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = params['name'];
  return ask(
    method,
    { ...params, _meta: meta },
    {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
  );
}

const initialize = (protocolVersion: string): Promise<Answer> =>
  ask('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });

function resultOf(answer: Answer): JsonObject {
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(answer.body['jsonrpc'], '2.0');
  assert.equal(answer.body['id'], 1);
  return answer.body['result'] as JsonObject;
}

/** Checks status and code of a JSON-RPC error, and returns it. */
function assertRpcError(answer: Answer, status: number, code: number): JsonObject {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(answer.headers['cache-control'], 'no-store');
  const { jsonrpc, id, error, ...others } = answer.body;
  assert.equal(jsonrpc, '2.0');
  assert.ok(id === null || id === 1 || typeof id === 'string', answer.text);
  assert.deepEqual(others, {});
  assert.equal((error as JsonObject)['code'], code, answer.text);
  assert.equal(typeof (error as JsonObject)['message'], 'string');
  return error as JsonObject;
}

/** Returns the stable error code of a refusal. */
const netCode = (error: JsonObject): unknown => (error['data'] as JsonObject)['code'];

describe('1: one message a POST', () => {
  test('a request is answered with 200 and JSON, an error of its method too', async () => {
    assert.deepEqual(resultOf(await ask('ping')), {});
    assertRpcError(await ask('no/such/method'), 200, -32_601);
  });
  test('a notification and a response are answered with 202 and nothing', async () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 9, result: {} },
      { jsonrpc: '2.0', id: 9, error: { code: 1, message: 'no' } },
    ]) {
      const answer = await send(message);
      assert.equal(answer.status, 202, answer.text);
      assert.equal(answer.bytes.length, 0);
      assert.equal(answer.headers['content-type'], undefined);
    }
  });
  test('an array is refused, whatever is in it', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    for (const batch of [[], [ping], [ping, ping]]) {
      assertRpcError(await send(batch), 400, -32_600);
    }
  });
});

describe('2: what is no message', () => {
  test('bad JSON', async () => {
    for (const body of ['', '{', 'nonsense', '{"jsonrpc":"2.0",}', '['.repeat(30_000)]) {
      assertRpcError(await node.post('/mcp', body), 400, -32_700);
    }
    assertRpcError(await node.post('/mcp', Uint8Array.of(0x22, 0xff, 0x22)), 400, -32_700);
  });
  test('JSON that is not JSON-RPC 2.0', async () => {
    for (const body of [
      null,
      1,
      'ping',
      {},
      { id: 1, method: 'ping' },
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: null, method: 'ping' },
      { jsonrpc: '2.0', id: {}, method: 'ping' },
      { jsonrpc: '2.0', id: 1, method: 7 },
      { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] },
    ]) {
      assertRpcError(await send(body), 400, -32_600);
    }
  });
  test('echoes the id if it is readable', async () => {
    const answer = await send({ id: 'mine', method: 'ping' });
    assertRpcError(answer, 400, -32_600);
    assert.equal(answer.body['id'], 'mine');
  });
  // https://github.com/googleapis/mcp-toolbox/issues/3464, https://github.com/koorchik/node-mole-rpc/pull/17
  test('null, which is no id, is answered; 0 is an id; a rounded number is not', async () => {
    const post = (id: string) => node.post('/mcp', `{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    assert.deepEqual((await post('0')).body, { jsonrpc: '2.0', id: 0, result: {} });
    for (const id of ['null', '9007199254740993', '1.5']) {
      const answer = await post(id);
      assertRpcError(answer, 400, -32_600);
      assert.equal(answer.body['id'], null, id);
    }
  });
  test('another content type, an encoded body, or none at all', async () => {
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-encoding': 'gzip' },
    ]) {
      const error = assertRpcError(await node.post('/mcp', ping, headers), 415, -32_000);
      assert.equal(netCode(error), 'CONTENT_TYPE_UNSUPPORTED');
    }
    assertRpcError(await node.request('POST', '/mcp'), 415, -32_000);
  });
  test('a body at the limit is read, one byte more is too large', async () => {
    const padded = (bytes: number): string => {
      const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
      return ping + ' '.repeat(bytes - ping.length);
    };
    resultOf(await node.post('/mcp', padded(MAX_ENVELOPE_BYTES)));
    const error = assertRpcError(
      await node.post('/mcp', padded(MAX_ENVELOPE_BYTES + 1)),
      413,
      -32_000,
    );
    assert.equal(netCode(error), 'BODY_TOO_LARGE');
  });
  test('other methods are not allowed, and POST is', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const answer = await node.request(method, '/mcp', { accept: 'text/event-stream' });
      const { message } = assertRpcError(answer, 405, -32_000);
      assert.match(message as string, /by POST, as tools\/list/);
      assert.equal(answer.headers.allow, 'POST');
    }
  });
  test('a path below is not found, a neighbour is not of this protocol', async () => {
    assert.equal(
      netCode(assertRpcError(await node.get('/mcp/x'), 404, -32_000)),
      'ROUTE_NOT_FOUND',
    );
    const neighbour = await node.get('/mcpx');
    assert.equal(neighbour.headers['content-type'], 'application/problem+json');
  });
  test('OPTIONS answers CORS', async () => {
    const answer = await node.request('OPTIONS', '/mcp', {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, mcp-protocol-version',
    });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    assert.match(String(answer.headers['access-control-allow-methods']), /POST/);
    assert.match(String(answer.headers['access-control-allow-headers']), /mcp-protocol-version/);
  });
  // https://github.com/modelcontextprotocol/python-sdk/issues/2349, https://github.com/XS-MLVP/UCAgent/issues/127
  test('any Accept will do', async () => {
    for (const accept of ['*/*', 'application/json', 'text/html', 'text/event-stream']) {
      resultOf(await ask('ping', undefined, { accept }));
      resultOf(await askModern('tools/list', {}, { accept }));
    }
    resultOf(await ask('ping'));
  });
});

describe('3: versions and the handshake', () => {
  test('a version that is served is echoed, for another the latest of the handshake is offered', async () => {
    const cases = {
      '2025-11-25': '2025-11-25',
      '2025-06-18': '2025-06-18',
      '1999-01-01': '2025-11-25',
    };
    for (const [asked, offered] of Object.entries(cases)) {
      const answer = await initialize(asked);
      const result = resultOf(answer);
      assert.equal(result['protocolVersion'], offered);
      assert.deepEqual(result['capabilities'], { tools: { listChanged: false } });
      assert.equal((result['serverInfo'] as JsonObject)['name'], 'netd');
      assert.equal(answer.headers['mcp-session-id'], undefined);
    }
  });
  test('a handshake without its parameters is refused as the fault of the client', async () => {
    assertRpcError(await ask('initialize'), 200, -32_602);
    assertRpcError(await ask('initialize', { protocolVersion: 5 }), 200, -32_602);
  });
  test('accepts a request without the version header, and refuses an unsupported version', async () => {
    resultOf(await ask('tools/list'));
    resultOf(await ask('tools/list', undefined, { 'mcp-protocol-version': '2025-03-26' }));
    resultOf(await ask('tools/list', undefined, { 'mcp-protocol-version': '2025-11-25' }));
    for (const version of ['1999-01-01', 'x'.repeat(2_000)]) {
      const answer = await ask('tools/list', undefined, { 'mcp-protocol-version': version });
      assert.equal(answer.status, 400, answer.text);
      assert.ok(answer.body['error']);
    }
  });
  test('2026-07-28 is served without a handshake', async () => {
    const discovered = resultOf(await askModern('server/discover'));
    assert.deepEqual(discovered['supportedVersions'], [VERSION]);
    assert.deepEqual(discovered['capabilities'], { tools: { listChanged: false } });
    const { tools } = resultOf(await askModern('tools/list')) as { tools: JsonObject[] };
    assert.deepEqual(tools, (resultOf(await ask('tools/list')) as { tools: JsonObject[] }).tools);
    const called = resultOf(await askModern('tools/call', { name: 'net_network_status' }));
    const { source } = called['structuredContent'] as JsonObject;
    assert.equal((source as JsonObject)['schema'], 'NET-NETWORK-STATUS/1');
  });
  test('2026-07-28 refuses what contradicts itself', async () => {
    assertRpcErrorIn2026(await askModern('tools/list', {}, { 'mcp-method': 'ping' }), 400);
    assertRpcErrorIn2026(await askModern('no/such/method'), 404);
  });
  test('2026-07-28 knows no handshake, however it is asked for one', async () => {
    const parameters = {
      protocolVersion: VERSION,
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const asked = [
      await askModern('initialize', parameters),
      await ask('initialize', parameters, { 'mcp-protocol-version': VERSION }),
    ];
    for (const answer of asked) {
      assert.equal(answer.status, 404, answer.text);
      assert.equal((answer.body['error'] as JsonObject)['code'], -32_601);
      assert.equal(answer.body['id'], 1);
    }
  });
  test('a subscription is acknowledged and ends: nothing here changes while the node runs', async () => {
    const answer = await askModern('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    assert.equal(answer.status, 200);
    assert.match(answer.text, /acknowledged/);
    assert.match(answer.text, /"resultType":"complete"/);
  });
});

function assertRpcErrorIn2026(answer: Answer, status: number): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(typeof (answer.body['error'] as JsonObject)['code'], 'number');
}

describe('4: who may ask from where', () => {
  const NAMES = { hosts: ['proxy.example'], origins: ['app.example'] };
  let named: HttpNode;
  before(async () => {
    named = await HttpNode.start({ ...LOADED, publicUrl: 'https://net.example', allowed: NAMES });
  });
  after(() => named.stop());
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

  test('accepts a missing origin, and a loopback, public or configured one', async () => {
    for (const origin of [
      'http://localhost:5173',
      'http://127.0.0.1',
      'http://[::1]:80',
      'https://net.example',
      'https://app.example:8443',
    ]) {
      assert.equal((await named.post('/mcp', ping, { origin })).status, 200, origin);
    }
    assert.equal((await named.post('/mcp', ping)).status, 200);
  });
  test('refuses any other origin', async () => {
    for (const origin of ['https://evil.example', 'https://net.example.evil.example', 'null']) {
      const error = assertRpcError(await named.post('/mcp', ping, { origin }), 403, -32_000);
      assert.equal(netCode(error), 'ORIGIN_NOT_ALLOWED');
    }
    const error = assertRpcError(
      await ask('ping', undefined, { origin: 'https://app.example' }),
      403,
      -32_000,
    );
    assert.equal(netCode(error), 'ORIGIN_NOT_ALLOWED');
  });
  test('accepts a host if it is loopback, public or configured', async () => {
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:8420', 'net.example', 'proxy.example']) {
      assert.equal((await named.post('/mcp', ping, { host })).status, 200, host);
    }
  });
  test('refuses any other host', async () => {
    for (const host of ['evil.example', 'net.example.evil.example', 'app.example', 'a b']) {
      const error = assertRpcError(await named.post('/mcp', ping, { host }), 403, -32_000);
      assert.equal(netCode(error), 'HOST_NOT_ALLOWED');
    }
  });
  test('all other paths accept any host and origin', async () => {
    const headers = { host: 'evil.example', origin: 'https://evil.example' };
    assert.equal((await named.get('/v1/network', headers)).status, 200);
  });
});

describe('5: errors of the tools (tools.http.test.ts has the tools)', () => {
  test('a cursor was never given out', async () => {
    assertRpcError(await ask('tools/list', { cursor: 'x' }), 200, -32_602);
    assertRpcError(await ask('tools/list', { cursor: 5 }), 200, -32_602);
    assertRpcError(await askModern('tools/list', { cursor: '' }), 200, -32_602);
  });
  test('an unknown tool, and a call that names none', async () => {
    for (const name of ['net_nothing', '', '__proto__', 'constructor']) {
      assertRpcError(await ask('tools/call', { name }), 200, -32_602);
    }
    assertRpcError(await ask('tools/call', {}), 200, -32_602);
    assertRpcError(await askModern('tools/call', { name: 'net_nothing' }), 200, -32_602);
  });
  test('methods of features that are not served', async () => {
    for (const method of ['resources/list', 'prompts/list', 'logging/setLevel']) {
      assertRpcError(await ask(method, { level: 'info' }), 200, -32_601);
    }
  });
});

test('6: beyond the limit 429 with Retry-After, in JSON-RPC', async () => {
  const limited = await HttpNode.start({ discoveryPerMinute: 3 });
  try {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    for (let sent = 0; sent < 3; sent++) {
      assert.equal((await limited.post('/mcp', ping)).status, 200);
    }
    const answer = await limited.post('/mcp', ping);
    const error = assertRpcError(answer, 429, -32_000);
    assert.equal(netCode(error), 'RATE_LIMITED');
    assert.match(error['message'] as string, / Wait [1-9][0-9]? s\. .* limit, at most 50,/);
    assert.match(String(answer.headers['retry-after']), /^([1-9]|[1-5][0-9]|60)$/);
    // A2A and plain reads have their own limits.
    assert.equal((await limited.get('/a2a/v1/tasks')).status, 200);
    assert.equal((await limited.get('/v1/network')).status, 200);
  } finally {
    await limited.stop();
  }
});

test('7: /.well-known/mcp.json points to it', async () => {
  const pointer = await node.document('/.well-known/mcp.json');
  const transport = pointer['transport'] as JsonObject;
  assert.deepEqual(transport, { type: 'streamable-http', url: '/mcp' });
  assert.deepEqual(pointer['protocolVersions'], [VERSION, '2025-11-25']);
  assert.deepEqual(pointer['capabilities'], { tools: { listChanged: false } });
  assert.deepEqual([pointer['schema'], pointer['chainId']], ['NET-MCP-POINTER/1', node.chainId]);
});
