/** A2A over JSON-RPC, versions 1.0 and 0.3. Clients that send no version get 0.3. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { HttpNode, operationOf, type Answer } from '@netd/testkit/http-node';

const PATH = '/a2a/v1/rpc';

let node: HttpNode;
before(async () => {
  node = await HttpNode.start({ discoveryPerMinute: 100_000 });
});
after(() => node.stop());

type Headers = Record<string, string>;

const V1 = { 'a2a-version': '1.0' };
const V03 = { 'a2a-version': '0.3' };
const CURRENT = {
  message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'status' }], contextId: 'c' },
};
const LEGACY = {
  message: {
    kind: 'message',
    messageId: 'm-1',
    role: 'user',
    parts: [{ kind: 'text', text: 'status' }],
    contextId: 'c',
  },
};

const ask = (method: string, params: object, headers: Headers = {}): Promise<Answer> =>
  node.post(PATH, { jsonrpc: '2.0', id: 7, method, params: params as JsonObject }, headers);

function resultOf({ status, text, body }: Answer): JsonObject {
  assert.equal(status, 200, text);
  assert.equal(body['id'], 7);
  assert.ok(body['result'], text);
  return body['result'] as JsonObject;
}

function assertError(answer: Answer, status: number, code: number): string {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(answer.headers['cache-control'], 'no-store');
  const error = answer.body['error'] as JsonObject;
  assert.equal(error['code'], code, answer.text);
  return error['message'] as string;
}

test('the card names the endpoint, for clients of both versions', async () => {
  const card = await node.document('/.well-known/agent-card.json');
  const url = node.url + PATH;
  assert.deepEqual((card['supportedInterfaces'] as JsonObject[]).slice(1), [
    { protocolBinding: 'JSONRPC', url, protocolVersion: '1.0' },
    { protocolBinding: 'JSONRPC', url, protocolVersion: '0.3' },
  ]);
  const { preferredTransport, protocolVersion } = card;
  assert.deepEqual([card['url'], preferredTransport, protocolVersion], [url, 'JSONRPC', '0.3.0']);
  assert.ok(operationOf(await node.description(), 'POST', PATH));
});

describe('a message is answered', () => {
  test('in 1.0', async () => {
    for (const headers of [V1, { 'a2a-version': '1.0.3' }, {}] as Headers[]) {
      const { message } = resultOf(await ask('SendMessage', CURRENT, headers));
      const { role, contextId, parts } = message as JsonObject;
      assert.deepEqual([role, contextId], ['ROLE_AGENT', 'c']);
      const [said, data] = parts as JsonObject[];
      assert.match(said?.['text'] as string, /^Status: /);
      assert.deepEqual((data?.['data'] as JsonObject | undefined)?.['topics'], ['status']);
    }
  });
  test('in 0.3, which a request without a version is', async () => {
    for (const headers of [V03, {}, { 'a2a-version': '' }] as Headers[]) {
      const message = resultOf(await ask('message/send', LEGACY, headers));
      assert.deepEqual(
        [message['kind'], message['role'], message['contextId']],
        ['message', 'agent', 'c'],
      );
      const [said, data] = message['parts'] as JsonObject[];
      assert.equal(said?.['kind'], 'text');
      assert.match(said?.['text'] as string, /^Status: /);
      assert.equal(data?.['kind'], 'data');
      assert.deepEqual((data?.['data'] as JsonObject | undefined)?.['topics'], ['status']);
    }
  });
  test('and a version in the query counts', async () => {
    const body = { jsonrpc: '2.0', id: 7, method: 'message/send', params: LEGACY };
    resultOf(await node.post(`${PATH}?A2A-Version=0.3`, JSON.stringify(body)));
  });
});

test('a notification gets an empty answer, whatever comes of it', async () => {
  for (const [method, params, headers] of [
    ['SendMessage', CURRENT, V1],
    ['message/send', LEGACY, V03],
    ['no/such', {}, V1],
    ['GetTask', { id: 't' }, V1],
    ['message/stream', LEGACY, V03],
  ] as const) {
    const answer = await node.post(PATH, { jsonrpc: '2.0', method, params }, headers);
    assert.deepEqual([answer.status, answer.text], [204, ''], method);
  }
});

describe('refuses', () => {
  test('another version, with a sentence that says what to send', async () => {
    for (const version of ['2.0', '0.2', 'x']) {
      const answer = await ask('SendMessage', CURRENT, { 'a2a-version': version });
      assert.match(assertError(answer, 200, -32_009), /Send "A2A-Version: 1\.0"/);
    }
  });
  test('methods of the other version, and of none', async () => {
    assertError(await ask('message/send', LEGACY, V1), 200, -32_601);
    assertError(await ask('SendMessage', CURRENT, V03), 200, -32_601);
    assertError(await ask('no/such', {}), 200, -32_601);
    for (const headers of [V1, V03]) {
      const body = { jsonrpc: '2.0', id: 7, method: 'no/such' };
      assertError(await node.post(PATH, body, headers), 200, -32_601);
    }
  });
  test('tasks that are not there, and push notifications', async () => {
    assertError(await ask('GetTask', { id: 't' }, V1), 200, -32_001);
    assertError(await ask('tasks/get', { id: 't' }), 200, -32_001);
    assertError(await ask('tasks/cancel', { id: 't' }), 200, -32_001);
    assertError(await ask('SubscribeToTask', { id: 't' }, V1), 200, -32_001);
    assertError(await ask('tasks/resubscribe', { id: 't' }), 200, -32_001);
    assertError(await ask('ListTaskPushNotificationConfigs', { taskId: 't' }, V1), 200, -32_003);
  });
  test('an invalid message', async () => {
    const { message } = CURRENT;
    const broken = [
      { message: { ...message, parts: [] } },
      { message: { ...message, role: 'ROLE_AGENT' } },
    ];
    for (const params of broken) assertError(await ask('SendMessage', params, V1), 200, -32_602);
    assertError(await ask('message/send', { message: {} }), 200, -32_602);
  });
  test('a body that is no JSON-RPC', async () => {
    assertError(await node.post(PATH, '{'), 400, -32_700);
    assertError(await node.post(PATH, '[]'), 400, -32_600);
    for (const broken of [
      { jsonrpc: '2.0', id: null, params: {} },
      { jsonrpc: '2.0', id: {}, method: '', params: {} },
      { jsonrpc: '1.0', id: 1, method: 'SendMessage' },
      { jsonrpc: '2.0', id: 2 ** 53, method: 'SendMessage', params: {} },
    ]) {
      const answer = await node.post(PATH, broken);
      assertError(answer, 400, -32_600);
      assert.equal(answer.body['id'], null);
    }
    assertError(await node.get(PATH), 405, -32_000);
    assertError(await node.post(PATH, '{}', { 'content-type': 'text/plain' }), 415, -32_000);
  });
  test('a message of 0.3 at the path of 1.0: where 0.3 is spoken', async () => {
    const body = JSON.stringify(LEGACY);
    const unversioned = await node.post('/a2a/v1/message:send', body);
    assert.equal(unversioned.status, 400);
    assert.match(unversioned.text, /A2A 0\.3: send it as message\/send, in JSON-RPC, to \/a2a/);
    const versioned = await node.post('/a2a/v1/message:send', body, V03);
    assert.equal(versioned.status, 400);
    assert.match(versioned.text, /VERSION_NOT_SUPPORTED/);
    assert.match(versioned.text, /A2A 0\.3 is served in JSON-RPC at \/a2a\/v1\/rpc/);
  });
  test('more than the limit of both bindings together, in the words of JSON-RPC', async () => {
    const limited = await HttpNode.start({ discoveryPerMinute: 1 });
    try {
      assert.equal((await limited.get('/a2a/v1/tasks')).status, 200);
      const answer = await limited.post(PATH, '{}');
      assert.match(assertError(answer, 429, -32_000), / Wait [1-9][0-9]? s\./);
      assert.match(String(answer.headers['retry-after']), /^[1-9]/);
    } finally {
      await limited.stop();
    }
  });
});

test('nothing that is asked is written', async () => {
  const state = node.state();
  await ask('SendMessage', CURRENT, V1);
  await ask('message/send', LEGACY);
  assert.deepEqual(node.state(), state);
});

test('tasks are listed in pages of a size that is one', async () => {
  const page = { tasks: [], nextPageToken: '', totalSize: 0 };
  assert.deepEqual(resultOf(await ask('ListTasks', {}, V1)), { ...page, pageSize: 50 });
  assert.deepEqual(resultOf(await ask('ListTasks', { pageSize: 7 }, V1)), { ...page, pageSize: 7 });
  for (const params of [{ pageSize: 0 }, { pageSize: 101 }, { pageSize: -1 }, { pageToken: 'x' }]) {
    const error = (await ask('ListTasks', params, V1)).body['error'] as JsonObject | undefined;
    assert.match(error?.['message'] as string, /pageSize|pageToken/, JSON.stringify(params));
  }
});
