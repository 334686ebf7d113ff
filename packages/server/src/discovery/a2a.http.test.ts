/** Checks over raw HTTP, point by point, that the node is a conforming, read-only A2A agent (HTTP+JSON). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AgentCard } from '@a2a-js/sdk';
import { workOrderOf } from '@netd/ledger/testing';
import { MAX_ENVELOPE_BYTES, type JsonObject } from '@netd/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { HttpNode, operationOf, type Answer } from '@netd/testkit/http-node';
import { unmark } from '@netd/testkit/unmark';
import { TOPICS } from './answers.ts';

const A2A_JSON = 'application/a2a+json';
const UUID = /^[0-9a-f-]{36}$/;

let node: HttpNode;
before(async () => {
  node = await HttpNode.start({ discoveryPerMinute: 100_000 });
});
after(() => node.stop());

type Headers = Record<string, string>;

function message(members: object = {}): object {
  return { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'status' }], ...members };
}

function sendBody(body: unknown, headers: Headers = {}): Promise<Answer> {
  return node.post('/a2a/v1/message:send', JSON.stringify(body), headers);
}

const send = (members: object = {}, headers: Headers = {}): Promise<Answer> =>
  sendBody({ message: message(members) }, headers);

/** Returns the agent's message after the checks that hold for every answer. */
function replyOf(answer: Answer): { contextId: string; text: string; data: JsonObject } {
  assert.equal(answer.status, 200, answer.text);
  const { message: reply, ...others } = answer.body as { message: JsonObject };
  assert.deepEqual(others, {});
  assert.match(reply['messageId'] as string, UUID);
  assert.equal(reply['role'], 'ROLE_AGENT');
  const [first, second, ...more] = reply['parts'] as JsonObject[];
  assert.deepEqual(more, []);
  return {
    contextId: reply['contextId'] as string,
    text: first?.['text'] as string,
    data: second?.['data'] as JsonObject,
  };
}

/** Checks a google.rpc.Status, also against the operation's description. Returns its ErrorInfo. */
async function assertA2aError(
  answer: Answer,
  [status, name, reason]: [status: number, name: string, reason: string],
  about?: [method: string, path: string],
): Promise<JsonObject[]> {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers['cache-control'], 'no-store');
  const error = answer.body['error'] as JsonObject;
  assert.deepEqual(Object.keys(answer.body), ['error']);
  assert.deepEqual([error['code'], error['status']], [status, name], answer.text);
  assert.ok((error['message'] as string).length > 0);
  const [info = {}, ...more] = error['details'] as JsonObject[];
  assert.deepEqual(
    [info['@type'], info['reason'], info['domain']],
    ['type.googleapis.com/google.rpc.ErrorInfo', reason, 'a2a-protocol.org'],
  );
  assert.match((info['metadata'] as JsonObject)['requestId'] as string, UUID);
  if (about) {
    const description = await node.description();
    const operation = operationOf(description, ...about);
    const type = String(answer.headers['content-type']).split(';')[0] ?? '';
    const { [String(status)]: own, default: any } = operation?.responses ?? {};
    const shared = description.components['responses'] as unknown as Record<string, typeof own>;
    const known = shared[(own ?? any)?.$ref?.split('/').at(-1) ?? ''];
    const schema = known?.content?.[type]?.schema;
    assert.ok(schema, `${about.join(' ')} does not describe ${status} ${type}`);
    const { components } = description;
    assert.ok(new Ajv2020({ strict: false }).validate({ ...schema, components }, answer.body));
  }
  return more;
}

/** Returns the marked answer of an MCP tool, without `next`: only MCP suggests calls. */
async function answerOfTool(name: string): Promise<JsonObject> {
  const params = { name, arguments: {} };
  const { body } = await node.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { text } = ((body['result'] as JsonObject)['content'] as JsonObject[]).at(-1) ?? {};
  const { next: _, ...data } = JSON.parse(text as string) as JsonObject;
  return data;
}

const INVALID: [number, string, string] = [400, 'INVALID_ARGUMENT', 'INVALID_PARAMS'];
const BAD_TYPE: [number, string, string] = [400, 'INVALID_ARGUMENT', 'CONTENT_TYPE_NOT_SUPPORTED'];
const NO_TASK: [number, string, string] = [404, 'NOT_FOUND', 'TASK_NOT_FOUND'];

describe('1: the agent card', () => {
  test('says who answers, where, and what it cannot do', async () => {
    const card = await node.document('/.well-known/agent-card.json');
    // a2a-rpc.http.test.ts checks those in JSON-RPC.
    assert.deepEqual((card['supportedInterfaces'] as JsonObject[])[0], {
      url: `${node.url}/a2a/v1`,
      protocolBinding: 'HTTP+JSON',
      protocolVersion: '1.0',
    });
    assert.deepEqual(card['capabilities'], {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
    });
    for (const modes of ['defaultInputModes', 'defaultOutputModes']) {
      assert.deepEqual(card[modes], ['text/plain', 'application/json']);
    }
    assert.deepEqual(
      (card['skills'] as JsonObject[]).map(({ id }) => id),
      ['status', 'join', 'work', 'tokens', 'replicas', 'safety', 'orders'],
    );
    assert.equal('securitySchemes' in card || 'security' in card, false);
    const read = AgentCard.fromJSON(card);
    assert.equal(read.name, card['name']);
    assert.ok(read.skills.every(({ name, description, tags }) => name && description && tags[0]));
  });
  test('carries the configured public URL, whatever Host says', async () => {
    const named = await HttpNode.start({ publicUrl: 'https://net.example/' });
    try {
      const { body } = await named.get('/.well-known/agent-card.json', { host: 'evil.example' });
      const [first] = body['supportedInterfaces'] as JsonObject[];
      assert.equal(first?.['url'], 'https://net.example/a2a/v1');
    } finally {
      await named.stop();
    }
  });
  test('is cached and revalidated', async () => {
    const { headers } = await node.get('/.well-known/agent-card.json');
    assert.equal(headers['cache-control'], 'public, max-age=300');
    const again = await node.get('/.well-known/agent-card.json', {
      'if-none-match': String(headers.etag),
    });
    assert.equal(again.status, 304);
    assert.equal(again.bytes.length, 0);
    assert.equal(again.headers.etag, headers.etag);
  });
});

describe('2: message:send', () => {
  test('echoes the context or begins one', async () => {
    assert.equal(replyOf(await send({ contextId: 'ours' })).contextId, 'ours');
    assert.match(replyOf(await send()).contextId, UUID);
    assert.match(replyOf(await send({ contextId: '' })).contextId, UUID);
    assert.match(replyOf(await send({ contextId: null })).contextId, UUID);
  });
  test('ignores members it does not know', async () => {
    const parts = [{ text: 'status', surprise: 1 }];
    const body = {
      message: message({ parts, surprise: {} }),
      configuration: { x: 1 },
      tenant: 't',
    };
    assert.deepEqual(replyOf(await sendBody(body)).data['topics'], ['status']);
  });
  test('reads every kind of part it knows', async () => {
    const raw = Buffer.from('is it safe?').toString('base64');
    const topicsOf = async (part: object): Promise<unknown> =>
      replyOf(await send({ parts: [part] })).data['topics'];
    assert.deepEqual(await topicsOf({ text: 'Any WORK?' }), ['work']);
    assert.deepEqual(await topicsOf({ text: 'work', mediaType: 'text/plain; charset=utf-8' }), [
      'work',
    ]);
    assert.deepEqual(await topicsOf({ data: { topic: 'tokens', n: 1 } }), ['tokens']);
    assert.deepEqual(await topicsOf({ data: 'replicas' }), ['replicas']);
    assert.deepEqual(await topicsOf({ data: null }), []);
    assert.deepEqual(await topicsOf({ raw, mediaType: 'text/plain' }), ['safety']);
    assert.deepEqual(await topicsOf({ url: 'https://x.example', mediaType: 'text/plain' }), []);
  });
  test('answers every topic with its documents, as they are at this height', async () => {
    for (const { id, examples } of TOPICS) {
      for (const example of examples) {
        const { text, data } = replyOf(await send({ parts: [{ text: example }] }));
        assert.ok((data['topics'] as string[]).includes(id), example);
        assert.match(text.toLowerCase(), new RegExp(`(^|\n)${id}`), example);
        assert.equal(Object.keys(data)[0], 'documents');
        for (const document of unmark(data['documents'] ?? null) as JsonObject[]) {
          const { schema, height, path } = document['source'] as JsonObject;
          assert.equal(height, node.height);
          assert.equal((await node.document(path as string))['schema'], schema);
          assert.equal(document['next'], undefined, 'tools are of another protocol');
        }
      }
    }
  });
  test('says what is so now', async () => {
    await node.join('alice');
    const { text, data } = replyOf(await send({ parts: [{ text: 'status, join and tokens' }] }));
    assert.deepEqual(data['topics'], ['status', 'join', 'tokens']);
    assert.match(text, new RegExp(`is at height ${node.height},`));
    assert.match(text, / 1 agent has joined/);
    assert.match(
      text,
      /up to 1000 NET a request, 1000 NET an account, ever, and 1000 NET more for each order/,
    );
    const tools = ['net_network_status', 'net_join_instructions', 'net_list_tokens'];
    assert.deepEqual(data['documents'], await Promise.all(tools.map(answerOfTool)));
  });
  test('tells open orders from those that anyone may take', async () => {
    const operator = node.running.node.dataDir.operator.actorId;
    await node.act(operator, 'createWorkOrder', workOrderOf('for-all'));
    await node.act(operator, 'createWorkOrder', workOrderOf('for-alice', { agentId: 'alice' }));
    const { text } = replyOf(await send({ parts: [{ text: 'work?' }] }));
    assert.match(text, /^Work: 2 orders are open, 1 of them for anyone to take; 0 accepted,/);
  });
  test('offers its topics if it finds none in the text', async () => {
    const { text, data } = replyOf(await send({ parts: [{ text: 'Bonjour !' }] }));
    assert.deepEqual(data['topics'], []);
    for (const { id } of TOPICS) assert.ok(text.includes(`${id} (`), id);
    assert.deepEqual(data['documents'], [await answerOfTool('net_network_status')]);
  });
  test('leaves out the part that the client does not take', async () => {
    const partsFor = async (...acceptedOutputModes: string[]): Promise<string[]> => {
      const answer = await sendBody({ message: message(), configuration: { acceptedOutputModes } });
      assert.equal(answer.status, 200, answer.text);
      const { parts } = answer.body['message'] as { parts: { mediaType: string }[] };
      return parts.map(({ mediaType }) => mediaType);
    };
    assert.deepEqual(await partsFor('text/plain'), ['text/plain']);
    assert.deepEqual(await partsFor('text/*'), ['text/plain']);
    assert.deepEqual(await partsFor('application/json'), ['application/json']);
    assert.deepEqual(await partsFor('*/*'), ['text/plain', 'application/json']);
    assert.deepEqual(await partsFor(), ['text/plain', 'application/json']);
    const configuration = { acceptedOutputModes: ['image/png'] };
    await assertA2aError(await sendBody({ message: message(), configuration }), BAD_TYPE);
  });
});

describe('3: media types and versions', () => {
  test('accepts both media types, and answers in the requested one', async () => {
    for (const type of ['application/json', A2A_JSON]) {
      const answer = await send({}, { 'content-type': type });
      replyOf(answer);
      const inKind = type === A2A_JSON ? A2A_JSON : 'application/json; charset=utf-8';
      assert.equal(answer.headers['content-type'], inKind);
      const plain = await send({}, { 'content-type': type, accept: 'application/json' });
      assert.equal(plain.headers['content-type'], 'application/json; charset=utf-8');
    }
    const accepts = [A2A_JSON, `text/html, ${A2A_JSON};q=0.9`, 'Application/A2A+JSON'];
    for (const accept of accepts) {
      assert.equal((await send({}, { accept })).headers['content-type'], A2A_JSON, accept);
    }
    const refused = await sendBody({}, { accept: A2A_JSON });
    assert.equal(refused.headers['content-type'], A2A_JSON);
    await assertA2aError(refused, INVALID, ['POST', '/a2a/v1/message:send']);
  });
  test('1.0 and no version are served, another is not', async () => {
    const path = '/a2a/v1/message:send';
    const body = JSON.stringify({ message: message() });
    for (const version of ['1.0', '', '1.0.0', '1.0.17']) {
      replyOf(await send({}, { 'a2a-version': version }));
      replyOf(await node.post(`${path}?A2A-Version=${version}`, body));
    }
    const refusal: [number, string, string] = [400, 'FAILED_PRECONDITION', 'VERSION_NOT_SUPPORTED'];
    for (const version of ['0.3', '2.0', '1.1', 'x', '1.0.x', '11.0.0', '1.0.0.0']) {
      const byQuery = await node.post(`${path}?A2A-Version=${version}`, body);
      await assertA2aError(byQuery, refusal, ['POST', path]);
      const both = await node.post(`${path}?A2A-Version=${version}`, body, {
        'a2a-version': '1.0',
      });
      await assertA2aError(both, refusal);
      const headers = { 'a2a-version': version };
      await assertA2aError(await send({}, headers), refusal, ['POST', '/a2a/v1/message:send']);
      await assertA2aError(await node.get('/a2a/v1/tasks', headers), refusal);
    }
  });
});

test('the list of tasks refuses what is no ListTasksRequest', async () => {
  const good =
    'status=TASK_STATE_WORKING&pageSize=5&historyLength=0&includeArtifacts=true&contextId=c';
  const page = await node.document(
    `/a2a/v1/tasks?${good}&statusTimestampAfter=2026-01-01T00:00:00Z&pageToken=`,
  );
  assert.deepEqual(page, { tasks: [], nextPageToken: '', pageSize: 5, totalSize: 0 });
  for (const fault of [
    'pageSize=0',
    'pageSize=101',
    'pageToken=abc',
    'status=WORKING',
    'historyLength=-1',
    'historyLength=x',
    'includeArtifacts=maybe',
    'statusTimestampAfter=yesterday',
  ]) {
    const answer = await node.get(`/a2a/v1/tasks?${fault}`);
    await assertA2aError(answer, INVALID, ['GET', '/a2a/v1/tasks']);
  }
});

describe('a question that names agents or orders', () => {
  interface Found {
    source: { path: string };
  }
  const pathsFor = async (text: string): Promise<string[]> => {
    const { data } = replyOf(await send({ parts: [{ text }] }));
    return (unmark(data['documents'] ?? null) as unknown as Found[]).map(
      ({ source }) => source.path,
    );
  };
  test('is answered about the agents and orders it names', async () => {
    await node.join('Ines.M');
    await node.join('work');
    const operator = node.running.node.dataDir.operator.actorId;
    await node.act(operator, 'createWorkOrder', workOrderOf('o-ask:1'));
    const { text } = replyOf(await send({ parts: [{ text: 'Who is Ines.M?' }] }));
    assert.match(
      text,
      /^Agent \{"untrusted":true,"content":"Ines\.M"\}: active, registered at height \d+\. It was paid for 0 verified/m,
    );
    assert.deepEqual(await pathsFor('Who is Ines.M.'), ['/v1/agents/Ines.M/decision-dossier']);
    assert.deepEqual(await pathsFor('Ines.M and o-ask:1'), [
      '/v1/agents/Ines.M/decision-dossier',
      '/v1/work-orders/o-ask%3A1/brief',
    ]);
    const [first] = await pathsFor('What of order o-ask:1?');
    assert.equal(first, '/v1/work-orders/o-ask%3A1/brief');
    // An agent named with a common word does not appear in every answer.
    assert.ok((await pathsFor('Is there work?')).every((path) => !path.includes('dossier')));
    assert.ok((await pathsFor('about agent work')).includes('/v1/agents/work/decision-dossier'));
    assert.deepEqual(await pathsFor('ines.m'), ['/v1/network']);
  });
});

describe('4: errors', () => {
  const path: [string, string] = ['POST', '/a2a/v1/message:send'];

  test('a body that is no JSON', async () => {
    for (const body of ['', '{', '['.repeat(30_000)]) {
      await assertA2aError(await node.post(path[1], body), INVALID, path);
    }
    await assertA2aError(await node.post(path[1], Uint8Array.of(0x22, 0xff, 0x22)), INVALID);
  });
  test('members that are missing or wrong are named', async () => {
    const cases: [place: string, body: unknown][] = [
      ['', []],
      ['/message', {}],
      ['/message/messageId', { message: message({ messageId: undefined }) }],
      ['/message/messageId', { message: message({ messageId: '' }) }],
      ['/message/role', { message: message({ role: 'user' }) }],
      ['/message/role', { message: message({ role: 'ROLE_AGENT' }) }],
      ['/message/parts', { message: message({ parts: [] }) }],
      ['/message/parts/0', { message: message({ parts: [{}] }) }],
      ['/message/parts/1', { message: message({ parts: [{ text: '' }, { text: '', url: '' }] }) }],
      ['/message/parts/0/text', { message: message({ parts: [{ text: 1 }] }) }],
      ['/message/contextId', { message: message({ contextId: 1 }) }],
    ];
    for (const [place, body] of cases) {
      const [request] = await assertA2aError(await sendBody(body), INVALID, path);
      assert.equal(request?.['@type'], 'type.googleapis.com/google.rpc.BadRequest');
      const fields = (request['fieldViolations'] as JsonObject[]).map(
        ({ field }) => field as string,
      );
      assert.ok(fields.includes(place), `${place}: ${fields.join(' ')}`);
    }
  });
  test('a part or a body of another type', async () => {
    for (const part of [
      { text: 'x', mediaType: 'text/html' },
      { raw: 'AAAA', mediaType: 'image/png' },
      { raw: 'AAAA' },
      { url: 'https://x.example/a.png' },
    ]) {
      await assertA2aError(await send({ parts: [part] }), BAD_TYPE, path);
    }
    await assertA2aError(await send({}, { 'content-type': 'text/plain' }), BAD_TYPE, path);
    await assertA2aError(await send({}, { 'content-encoding': 'gzip' }), BAD_TYPE, path);
  });
  test('a task that is not there', async () => {
    await assertA2aError(await send({ taskId: 'task-1' }), NO_TASK, path);
    await assertA2aError(await node.get('/a2a/v1/tasks/t-1'), NO_TASK, [
      'GET',
      '/a2a/v1/tasks/{id}',
    ]);
    for (const method of ['GET', 'POST']) {
      await assertA2aError(await node.request(method, '/a2a/v1/tasks/t-1:subscribe'), NO_TASK);
    }
    replyOf(await send({ taskId: '' }));
  });
  test('a body at the limit is read, one byte more is too large', async () => {
    const body = JSON.stringify({ message: message() });
    const at = body + ' '.repeat(MAX_ENVELOPE_BYTES - body.length);
    replyOf(await node.post(path[1], at));
    const over = await node.post(path[1], `${at} `);
    await assertA2aError(over, [413, 'INVALID_ARGUMENT', 'BODY_TOO_LARGE'], path);
  });
  test('beyond the limit 429 with Retry-After, all paths together', async () => {
    const limited = await HttpNode.start({ discoveryPerMinute: 2 });
    const body = JSON.stringify({ message: message() });
    try {
      assert.equal((await limited.get('/a2a/v1/tasks')).status, 200);
      assert.equal((await limited.post(path[1], body)).status, 200);
      const answer = await limited.post(path[1], body);
      await assertA2aError(answer, [429, 'RESOURCE_EXHAUSTED', 'RATE_LIMITED'], path);
      const { message: said } = answer.body['error'] as JsonObject;
      assert.match(said as string, / Wait [1-9][0-9]? s\. Then send the message again/);
      assert.match(String(answer.headers['retry-after']), /^([1-9]|[1-5][0-9]|60)$/);
      assert.equal((await limited.get('/.well-known/agent-card.json')).status, 200);
    } finally {
      await limited.stop();
    }
  });
  test('120 a minute by default, on loopback too', async () => {
    const limited = await HttpNode.start();
    try {
      for (let sent = 0; sent < 120; sent++) {
        assert.equal((await limited.get('/a2a/v1/tasks')).status, 200, `request ${sent + 1}`);
      }
      assert.equal((await limited.get('/a2a/v1/tasks')).status, 429);
    } finally {
      await limited.stop();
    }
  });
});

describe('5: operations of the protocol that are refused', () => {
  const UNSUPPORTED: [number, string, string] = [
    400,
    'FAILED_PRECONDITION',
    'UNSUPPORTED_OPERATION',
  ];
  const NO_PUSH: [number, string, string] = [
    400,
    'FAILED_PRECONDITION',
    'PUSH_NOTIFICATION_NOT_SUPPORTED',
  ];
  const cases: [method: string, path: string, [number, string, string]][] = [
    ['GET', '/a2a/v1/extendedAgentCard', UNSUPPORTED],
    ['POST', '/a2a/v1/tasks/t-1:cancel', NO_TASK],
    ['POST', '/a2a/v1/tasks/a:b:cancel', NO_TASK],
    ['GET', '/a2a/v1/tasks/t-1/pushNotificationConfigs', NO_PUSH],
    ['POST', '/a2a/v1/tasks/t-1/pushNotificationConfigs', NO_PUSH],
    ['GET', '/a2a/v1/tasks/t-1/pushNotificationConfigs/c-1', NO_PUSH],
    ['DELETE', '/a2a/v1/tasks/t-1/pushNotificationConfigs/c-1', NO_PUSH],
  ];
  for (const [method, path, refusal] of cases) {
    test(`${method} ${path}`, async () => {
      // The description omits operations that never succeed. Their refusals look like all others.
      assert.equal(operationOf(await node.description(), method, path), null);
      const alike: [string, string] = ['POST', '/a2a/v1/message:send'];
      const empty = { 'content-type': 'application/json' };
      for (const headers of [{}, empty, { ...empty, 'content-length': '0' }]) {
        await assertA2aError(await node.request(method, path, headers), refusal, alike);
      }
    });
  }
  test('a push configuration in a message', async () => {
    const configuration = { taskPushNotificationConfig: { url: 'https://x.example' } };
    await assertA2aError(await sendBody({ message: message(), configuration }), NO_PUSH);
  });
});

describe('6: what the framework finds, in the words of this protocol', () => {
  test('no such path, no such method', async () => {
    const unknown = await node.get('/a2a/v1/nothing');
    await assertA2aError(unknown, [404, 'NOT_FOUND', 'ROUTE_NOT_FOUND']);
    const method = await node.get('/a2a/v1/message:send');
    await assertA2aError(method, [405, 'UNIMPLEMENTED', 'METHOD_NOT_ALLOWED']);
    assert.equal(method.headers.allow, 'OPTIONS, POST');
    const cancel = await node.get('/a2a/v1/tasks');
    assert.equal(cancel.status, 200);
    const other = await node.request('PUT', '/a2a/v1/tasks/t-1:cancel');
    await assertA2aError(other, [405, 'UNIMPLEMENTED', 'METHOD_NOT_ALLOWED']);
    assert.match(String(other.headers.allow), /POST/);
  });
  test('a neighbour is not of this protocol', async () => {
    for (const path of ['/a2a', '/a2a/v2/tasks', '/a2a/v1x']) {
      const answer = await node.get(path);
      assert.equal(answer.status, 404);
      assert.equal(answer.headers['content-type'], 'application/problem+json');
    }
  });
});

test('nothing that is asked is written', async () => {
  const state = node.state();
  for (const { examples } of TOPICS) await send({ parts: [{ text: examples.join(' ') }] });
  assert.deepEqual(node.state(), state);
});
