/** The official MCP and A2A clients find and understand this node over loopback. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Role, TaskState, type Part, type SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory, type Client as A2aClient } from '@a2a-js/sdk/client';
import { TaskNotCancelableError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportOfV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JsonObject } from '@netd/protocol';
import type { HttpNode } from '@netd/testkit/http-node';
import { startPopulated } from '@netd/testkit/populated-node';
import { TOOL_CASES } from '@netd/testkit/tool-cases';
import { TOPICS } from './answers.ts';
import { TOOLS } from './tools.ts';

let node: HttpNode;
before(async () => {
  node = await startPopulated(100_000);
});
after(() => node.stop());

/** The methods that both MCP clients have. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: JsonObject }): Promise<object>;
  getServerVersion(): { name: string } | undefined;
  close(): Promise<void>;
}

const self = { name: 'netd-test', version: '1' };
const mcpUrl = (): URL => new URL('/mcp', node.url);

const contentOf = (result: object): JsonObject =>
  (result as JsonObject)['structuredContent'] as JsonObject;

const CLIENTS: Record<string, () => Promise<AnyClient>> = {
  'v2, 2026-07-28': async () => {
    const client = new Client(self, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new StreamableHTTPClientTransport(mcpUrl()));
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    return client;
  },
  'v2, choosing by itself': async () => {
    const client = new Client(self, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(mcpUrl()));
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    return client;
  },
  'v2, 2025-11-25': async () => {
    const client = new Client(self, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(new StreamableHTTPClientTransport(mcpUrl()));
    assert.equal(client.getNegotiatedProtocolVersion(), '2025-11-25');
    return client;
  },
  'v1, 2025-11-25': async () => {
    const client = new ClientOfV1(self);
    const transport = new TransportOfV1(mcpUrl());
    await client.connect(transport);
    assert.equal(transport.protocolVersion, '2025-11-25');
    assert.equal(transport.sessionId, undefined);
    return client;
  },
};

for (const [title, connect] of Object.entries(CLIENTS)) {
  test(`MCP client ${title}: connects, lists and calls every tool`, async () => {
    const client = await connect();
    try {
      assert.equal(client.getServerVersion()?.name, 'netd');
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        [...TOOLS.map(({ name }) => name), 'net_prepare_intent'],
      );
      const intent = { actorId: 'bob', action: 'withdrawBeacon', payload: {} };
      await client.callTool({ name: 'net_prepare_intent', arguments: intent });
      for (const { name } of TOOLS) {
        for (const [given, path] of TOOL_CASES[name]) {
          // The client validates the answer against the announced schema.
          const some = await client.callTool({ name, arguments: given });
          const all = await client.callTool({ name, arguments: { ...given, full: true } });
          const { next: _, source, ...whole } = contentOf(all);
          assert.deepEqual(whole, await node.document(path));
          assert.deepEqual(contentOf(some)['source'], source);
        }
      }
      const refused = (await client.callTool({
        name: 'net_token_detail',
        arguments: { tokenId: 'tok-none' },
      })) as JsonObject;
      assert.equal(refused['isError'], true);
      await assert.rejects(client.callTool({ name: 'net_nothing', arguments: {} }), {
        code: -32_602,
      });
    } finally {
      await client.close();
    }
  });
}

describe('A2A client', () => {
  let client: A2aClient;
  before(async () => {
    client = await new ClientFactory().createFromUrl(node.url);
  });

  const asking = (content: Part['content'], taskId = ''): SendMessageRequest => ({
    tenant: '',
    message: {
      messageId: 'm-1',
      contextId: 'ours',
      taskId,
      role: Role.ROLE_USER,
      parts: [{ content, mediaType: '', filename: '', metadata: undefined }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  });
  const ask = (text: string, taskId?: string): SendMessageRequest =>
    asking({ $case: 'text', value: text }, taskId);

  test('finds the card and is answered on every topic', async () => {
    const card = await client.getAgentCard();
    assert.deepEqual(
      card.skills.map(({ id }) => id),
      [...TOPICS.map(({ id }) => id), 'orders'],
    );
    for (const { id, examples } of TOPICS) {
      const answer = await client.sendMessage(ask(examples[0] ?? ''));
      assert.ok('messageId' in answer);
      assert.equal(answer.contextId, 'ours');
      assert.equal(answer.role, Role.ROLE_AGENT);
      const [said, data] = answer.parts.map((part) => part.content);
      assert.equal(said?.$case, 'text');
      assert.equal(data?.$case, 'data');
      assert.ok((data.value as { topics: string[] }).topics.includes(id));
    }
  });
  test('is answered on a question in data', async () => {
    const question = asking({ $case: 'data', value: { topic: 'tokens' } });
    const answer = await client.sendMessage(question);
    assert.ok('messageId' in answer);
    assert.match(JSON.stringify(answer.parts[0]?.content), /Tokens: NET/);
  });
  test('understands that a task is not there', async () => {
    await assert.rejects(client.sendMessage(ask('status', 'task-1')), TaskNotFoundError);
    await assert.rejects(client.getTask({ tenant: '', id: 'task-1' }), TaskNotFoundError);
    await assert.rejects(
      client.cancelTask({ tenant: '', id: 'task-1', metadata: undefined }),
      TaskNotFoundError,
    );
  });
  test('takes the answer to a question as a stream of one', async () => {
    const events = [];
    for await (const event of client.sendMessageStream(ask('status'))) events.push(event);
    assert.equal(events.length, 1);
    assert.match(JSON.stringify(events[0]), /is at height/);
  });
  test('gets, lists and refuses to cancel the tasks that orders are', async () => {
    const { tasks, totalSize } = await client.listTasks({
      tenant: '',
      contextId: '',
      status: TaskState.TASK_STATE_COMPLETED,
      pageToken: '',
      statusTimestampAfter: undefined,
    });
    assert.ok(totalSize >= tasks.length && tasks.length > 0);
    const first = tasks.find(({ status }) => status?.state === TaskState.TASK_STATE_COMPLETED);
    assert.ok(first);
    const task = await client.getTask({ tenant: '', id: first.id });
    assert.deepEqual([task.id, task.status?.state], [first.id, first.status?.state]);
    assert.equal(task.artifacts[0]?.artifactId, 'deliverable');
    await assert.rejects(
      client.cancelTask({ tenant: '', id: first.id, metadata: undefined }),
      TaskNotCancelableError,
    );
  });
});
