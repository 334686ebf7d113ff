/** Work orders as A2A tasks: states, pages, streams, unsigned wishes, and refusals. */
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { workOrderOf } from '@netd/ledger/testing';
import { canonicalize, sha256Hex, type JsonObject } from '@netd/protocol';
import { HttpNode, textOf } from '@netd/testkit/http-node';

let node: HttpNode;
let requester: string;
before(async () => {
  node = await HttpNode.start({ discoveryPerMinute: 100_000 });
  requester = node.running.node.dataDir.operator.actorId;
  // Each accepted order has another worker, because an agent that was never paid may have only two.
  for (const id of ['alice', 'bob', 'carol', 'dave']) await node.join(id);
});
after(() => node.stop());

const V1 = { 'a2a-version': '1.0' };

const order = (orderId: string, members: JsonObject = {}) =>
  node.act(requester, 'createWorkOrder', workOrderOf(orderId, { jury: 'none', ...members }));
const accept = (orderId: string, agentId = 'alice') =>
  node.act(agentId, 'acceptWork', { orderId, agentId });
const deliver = (orderId: string, agentId = 'alice') =>
  node.act(agentId, 'submitWorkResult', { orderId, agentId, deliverableHash: 'a'.repeat(64) });

const stateOf = (task: JsonObject): unknown => (task['status'] as JsonObject)['state'];
const taskAt = (id: string, query = ''): Promise<JsonObject> =>
  node.document(`/a2a/v1/tasks/${id}${query}`);

function messageOf(members: object): JsonObject {
  const parts = [{ text: 'status' }];
  return { message: { messageId: 'm', role: 'ROLE_USER', parts, ...members } };
}
const wish = (action: string, payload: JsonObject, actorId = 'alice'): object => ({
  parts: [{ data: { actorId, action, payload } }],
});

interface Stream {
  status: number;
  /** Returns the next event without its JSON-RPC frame; null at the end. */
  next: () => Promise<JsonObject | null>;
  close: () => void;
}

/** Reads server-sent events as a client of either binding does. */
async function open(
  path: string,
  init: { method?: string; body?: JsonObject } = {},
): Promise<Stream> {
  const stop = new AbortController();
  const response = await fetch(node.url + path, {
    method: init.method ?? 'POST',
    headers: { ...V1, ...(init.body ? { 'content-type': 'application/json' } : {}) },
    ...(init.body ? { body: JSON.stringify(init.body) } : {}),
    signal: stop.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<JsonObject | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const event = text.slice(0, end);
        text = text.slice(end + 2);
        if (event.startsWith(':')) continue;
        const value = JSON.parse(event.replace(/^data: /, '')) as JsonObject;
        return (value['result'] ?? value) as JsonObject;
      }
      const read = await reader?.read();
      if (!read || read.done) return null;
      text += read.value;
    }
  };
  return { status: response.status, next, close: () => stop.abort() };
}

test('an order is a task, in the state that its phase has', async () => {
  await order('t-1', { title: 'Translate a page' });
  const open1 = await taskAt('t-1');
  assert.deepEqual([open1['id'], open1['contextId']], ['t-1', requester]);
  assert.equal(stateOf(open1), 'TASK_STATE_SUBMITTED');
  const [asked] = open1['history'] as JsonObject[];
  assert.equal(asked?.['role'], 'ROLE_USER');
  assert.match(JSON.stringify(asked), /"untrusted":true,"content":\{"title":"Translate a page"/);
  assert.equal('history' in (await taskAt('t-1', '?historyLength=0')), false);
  assert.match(JSON.stringify(open1['status']), /Any agent can accept it\..* Until height \d+/);
  assert.match(JSON.stringify(open1['status']), /"actions":\["acceptWork","cancelWorkOrder"\]/);

  await accept('t-1');
  const taken = await taskAt('t-1');
  assert.equal(stateOf(taken), 'TASK_STATE_WORKING');
  const { header } = node.running.node.store.snapshot().block;
  assert.equal((taken['status'] as JsonObject)['timestamp'], header.timestamp);
  assert.equal('artifacts' in taken, false);
  await deliver('t-1');
  const delivered = await taskAt('t-1');
  assert.match(JSON.stringify(delivered['artifacts']), /"deliverableHash":"a{64}"/);

  await order('t-2');
  await node.act(requester, 'cancelWorkOrder', { orderId: 't-2' });
  assert.equal(stateOf(await taskAt('t-2')), 'TASK_STATE_CANCELED');
});

describe('the list', () => {
  const list = async (query = ''): Promise<{ ids: unknown[]; page: JsonObject }> => {
    const page = await node.document(`/a2a/v1/tasks${query}`);
    return { ids: (page['tasks'] as JsonObject[]).map(({ id }) => id), page };
  };
  before(async () => {
    for (const id of ['l-1', 'l-2', 'l-3']) await order(id);
    await accept('l-2', 'bob');
  });
  test('is newest first, in pages that go on', async () => {
    const { ids, page } = await list('?pageSize=2');
    assert.deepEqual(ids, ['l-3', 'l-2']);
    assert.equal(page['totalSize'], 5);
    const token = textOf(page, 'nextPageToken');
    assert.deepEqual((await list(`?pageSize=3&pageToken=${token}`)).ids, ['l-1', 't-2', 't-1']);
    assert.equal(
      (await node.get(`/a2a/v1/tasks?status=TASK_STATE_WORKING&pageToken=${token}`)).status,
      400,
    );
  });
  test('is narrowed by state, requester and time', async () => {
    assert.deepEqual((await list('?status=TASK_STATE_WORKING')).ids, ['l-2', 't-1']);
    assert.deepEqual((await list('?status=TASK_STATE_CANCELED')).ids, ['t-2']);
    assert.deepEqual((await list('?status=TASK_STATE_FAILED')).ids, []);
    assert.equal((await list(`?contextId=${requester}`)).page['totalSize'], 5);
    assert.deepEqual((await list('?contextId=nobody')).ids, []);
    assert.deepEqual((await list('?statusTimestampAfter=2099-01-01T00:00:00Z')).ids, []);
    assert.equal((await list('?statusTimestampAfter=2020-01-01T00:00:00Z')).ids.length, 5);
  });
  test('holds artifacts and history only on request', async () => {
    const [plain] = (await list('?status=TASK_STATE_WORKING')).page['tasks'] as JsonObject[];
    assert.equal('history' in (plain ?? {}), false);
    const { page } = await list('?includeArtifacts=true&historyLength=1');
    assert.match(JSON.stringify(page), /"artifactId":"deliverable"/);
    assert.match(JSON.stringify(page), /"messageId":"l-3:asked"/);
  });
});

describe('a stream', () => {
  const STREAMS: Record<string, (id: string) => Promise<Stream>> = {
    'by subscribe, GET': (id) => open(`/a2a/v1/tasks/${id}:subscribe`, { method: 'GET' }),
    'by subscribe, POST': (id) => open(`/a2a/v1/tasks/${id}:subscribe`),
    'by message:stream': (taskId) =>
      open('/a2a/v1/message:stream', { body: messageOf({ taskId }) }),
    'by SubscribeToTask': (id) =>
      open('/a2a/v1/rpc', {
        body: { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } },
      }),
  };
  for (const [title, begin] of Object.entries(STREAMS)) {
    test(`${title}, tells each change and ends with the task`, async () => {
      const id = title.replaceAll(/\W+/g, '-');
      await order(id);
      const stream = await begin(id);
      assert.equal(stream.status, 200);
      const first = (await stream.next())?.['task'] as JsonObject;
      assert.deepEqual([first['id'], stateOf(first)], [id, 'TASK_STATE_SUBMITTED']);
      await node.act(requester, 'cancelWorkOrder', { orderId: id });
      const update = (await stream.next())?.['statusUpdate'] as JsonObject;
      assert.deepEqual([update['taskId'], stateOf(update)], [id, 'TASK_STATE_CANCELED']);
      assert.equal(await stream.next(), null);
    });
  }
  test('tells what was delivered before the state it led to', async () => {
    await order('s-1');
    const stream = await open('/a2a/v1/tasks/s-1:subscribe');
    await stream.next();
    await accept('s-1', 'carol');
    const taken = (await stream.next())?.['statusUpdate'] as JsonObject;
    assert.equal(stateOf(taken), 'TASK_STATE_WORKING');
    await deliver('s-1', 'carol');
    assert.ok((await stream.next())?.['artifactUpdate']);
    // The next block draws the verifiers, maybe before this is written.
    assert.match(JSON.stringify(await stream.next()), /"statusUpdate".*(?:Delivered|No verdict)\./);
    const { events } = node.running.node;
    const listening = events.size;
    stream.close();
    while (events.size === listening) await new Promise((resolve) => setImmediate(resolve));
  });
  test('of a question has one message', async () => {
    const stream = await open('/a2a/v1/message:stream', { body: messageOf({}) });
    assert.ok((await stream.next())?.['message']);
    assert.equal(await stream.next(), null);
  });
  test('of a task that has ended is refused, and of none', async () => {
    const ended = await node.get('/a2a/v1/tasks/t-2:subscribe');
    assert.equal(ended.status, 400);
    assert.match(ended.text, /UNSUPPORTED_OPERATION/);
    const params = { id: 't-2' };
    const rpc = { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params };
    assert.match((await node.post('/a2a/v1/rpc', rpc, V1)).text, /-32004/);
  });
  test('takes a place among all streams', async () => {
    const few = await HttpNode.start({
      discoveryPerMinute: 1_000,
      limits: { streamsOfLoopback: 0 },
    });
    try {
      const answer = await few.post('/a2a/v1/message:stream', messageOf({}));
      assert.equal(answer.status, 429);
      assert.match(answer.text, /RATE_LIMITED/);
    } finally {
      await few.stop();
    }
  });
});

describe('an unsigned wish', () => {
  const send = (members: object) => node.post('/a2a/v1/message:send', messageOf(members));

  test('is input that is required, with the bytes; signed, the task goes on', async () => {
    await order('i-1');
    const state = node.state();
    const { task } = (
      await send({ ...wish('acceptWork', { agentId: 'dave' }, 'dave'), taskId: 'i-1' })
    ).body as { task: JsonObject };
    assert.deepEqual([task['id'], stateOf(task)], ['i-1', 'TASK_STATE_INPUT_REQUIRED']);
    assert.deepEqual(node.state(), state);
    const { message } = task['status'] as { message: JsonObject };
    const [said, data] = message['parts'] as JsonObject[];
    assert.match(textOf(said ?? {}, 'text'), /^Sign: acceptWork waits/);
    const { envelope, bytes, bytesSha256 } = (data ?? {})['data'] as unknown as {
      envelope: JsonObject;
      bytes: string;
      bytesSha256: string;
    };
    assert.equal(sha256Hex(Buffer.from(bytes)), bytesSha256);
    const { signature } = node.intent('dave', 'acceptWork', envelope['payload'], envelope);
    const sent = await node.post('/v1/intents', { ...envelope, signature: signature as string });
    assert.equal(sent.status, 201, sent.text);
    assert.equal(stateOf(await taskAt('i-1')), 'TASK_STATE_WORKING');
  });
  test('names a task that begins with the signature', async () => {
    const payload = workOrderOf('i-2', { jury: 'none' });
    const { task } = (await send(wish('createWorkOrder', payload, requester))).body as {
      task: JsonObject;
    };
    assert.deepEqual([task['id'], stateOf(task)], ['i-2', 'TASK_STATE_INPUT_REQUIRED']);
    assert.equal((await node.get('/a2a/v1/tasks/i-2')).status, 404);
  });
  test('is answered with a message if it names no order, and with the refusal if the rules say no', async () => {
    const beacon = (await send(wish('withdrawBeacon', { agentId: 'alice' }))).text;
    assert.match(beacon, /"refusal":\{"code":"[A-Z_]+"/);
    const taken = await send({ ...wish('acceptWork', { agentId: 'alice' }), taskId: 't-2' });
    assert.match(taken.text, /"text":"Refused: acceptWork .*WORK_ORDER_[A-Z_]+/);
  });
  test('is refused with the field at fault if it is no intent', async () => {
    for (const [members, place] of [
      [wish('nothing', {}), '/message/parts/0/data/action'],
      [{ parts: [{ data: { action: 'faucet' } }] }, '/message/parts/0/data/actorId'],
      [
        { ...wish('acceptWork', { orderId: 'x' }), taskId: 't-1' },
        '/message/parts/0/data/payload/orderId',
      ],
      [{ taskId: 't-1', contextId: 'ours' }, '/message/contextId'],
    ] as const) {
      const answer = await send(members);
      assert.equal(answer.status, 400, answer.text);
      assert.ok(answer.text.includes(`"field":"${place}"`), answer.text);
    }
  });
  test('to cancel, is told', async () => {
    await order('c-1');
    const open1 = await node.post('/a2a/v1/tasks/c-1:cancel', '{}');
    assert.equal(open1.status, 400);
    assert.match(open1.text, /TASK_NOT_CANCELABLE/);
    assert.match(open1.text, /it signs cancelWorkOrder/);
    assert.match((await node.post('/a2a/v1/tasks/t-2:cancel', '{}')).text, /has ended/);
  });
  test('a question about a task is answered with the task', async () => {
    const { task } = (await send({ taskId: 't-1' })).body as { task: JsonObject };
    assert.deepEqual(task, await taskAt('t-1'));
  });
});

test('A2A 0.3 sees the same tasks', async () => {
  const ask = (method: string, params: JsonObject) =>
    node.post('/a2a/v1/rpc', { jsonrpc: '2.0', id: 1, method, params });
  const got = (await ask('tasks/get', { id: 't-1' })).body['result'] as JsonObject;
  assert.deepEqual([got['kind'], got['id'], stateOf(got)], ['task', 't-1', 'working']);
  await order('old-1');
  const stream = await open('/a2a/v1/rpc?A2A-Version=0.3', {
    body: { jsonrpc: '2.0', id: 1, method: 'tasks/resubscribe', params: { id: 'old-1' } },
  });
  stream.close();
  assert.equal(stream.status, 200);
});

describe('the card', () => {
  test('is signed by the validator of the genesis document', async () => {
    const card = await node.document('/.well-known/agent-card.json');
    const [key] = (await node.document('/.well-known/jwks.json'))['keys'] as JsonObject[];
    const [validator] = node.running.node.dataDir.genesis.validators;
    const known = createPublicKey(validator?.consensusPublicKey ?? '').export({ format: 'jwk' });
    assert.deepEqual([key?.['x'], key?.['kid']], [known.x, validator?.validatorId]);
    const asked: unknown[] = [];
    const check = verifyAgentCardSignature(async (kid, jku) => {
      asked.push(kid, jku);
      return known;
    });
    await check(AgentCard.fromJSON(card));
    assert.deepEqual(asked, [validator?.validatorId, `${node.url}/.well-known/jwks.json`]);
    const log = console.debug;
    console.debug = () => {};
    try {
      await assert.rejects(
        check(AgentCard.fromJSON({ ...card, description: 'another' })),
        /No valid/,
      );
    } finally {
      console.debug = log;
    }
    // Verifies the signature as documented, without the package.
    const { signatures, url: _, preferredTransport: __, protocolVersion: ___, ...signed } = card;
    const [{ protected: head, signature } = {}] = signatures as Record<string, string>[];
    const bytes = Buffer.from(`${head}.${Buffer.from(canonicalize(signed)).toString('base64url')}`);
    const publicKey = createPublicKey(validator?.consensusPublicKey ?? '');
    assert.ok(verify(null, bytes, publicKey, Buffer.from(signature ?? '', 'base64url')));
  });
  test('names its provider and its documentation', async () => {
    const card = await node.document('/.well-known/agent-card.json');
    const { provider, documentationUrl } = card as {
      provider: JsonObject;
      documentationUrl: string;
    };
    assert.equal(provider['url'], node.url);
    assert.equal((await node.get(new URL(documentationUrl).pathname)).status, 200);
  });
});
