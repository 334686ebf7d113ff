/**
 * For any input, /mcp answers in JSON-RPC and /a2a/v1 in its own form. Nothing is a fault of the node, and
 * nothing is written.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import * as fc from 'fast-check';
import { HttpNode, type Answer } from '@netd/testkit/http-node';
import { TOOLS } from './tools.ts';

/** NET_FUZZ_SEED replays a run; every run prints its seed. */
const seed = Number(process.env['NET_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const settings: fc.Parameters<unknown> = {
  seed,
  numRuns: 100_000,
  interruptAfterTimeLimit: 1_500,
  endOnFailure: false,
};

let node: HttpNode;
let state: { height: number; stateRoot: string };
before(async () => {
  console.log(`fuzz seed ${seed}`);
  node = await HttpNode.start({ discoveryPerMinute: 1_000_000 });
  await node.join('alice');
  state = node.state();
});
after(async () => {
  assert.deepEqual(node.state(), state);
  await node.stop();
});

function acceptable(path: string, { status, text, body }: Answer): void {
  assert.ok(status >= 200 && status < 500, `${status} ${text.slice(0, 300)}`);
  if (status === 202) return;
  if (path === '/mcp') assert.equal(body['jsonrpc'], '2.0', text.slice(0, 300));
  else assert.ok('error' in body || 'message' in body, text.slice(0, 300));
  const { code } = (body['error'] ?? {}) as JsonObject;
  assert.notEqual(code, -32_603, text.slice(0, 300));
}

const path = fc.constantFrom('/mcp', '/a2a/v1/message:send');
const post = async (to: string, body: string | Uint8Array): Promise<void> =>
  acceptable(to, await node.post(to, body));

test('bodies of any bytes', async () => {
  await fc.assert(fc.asyncProperty(path, fc.uint8Array({ maxLength: 400 }), post), settings);
});

test('bodies of any JSON', async () => {
  await fc.assert(fc.asyncProperty(path, fc.json({ maxDepth: 6 }), post), settings);
});

test('calls of any method and tool with any arguments', async () => {
  const method = fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping', 'x');
  const name = fc.constantFrom(...TOOLS.map((tool) => tool.name as string), '__proto__', '');
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('alice', 'tok-none', 1));
  const given = fc.dictionary(
    fc.constantFrom('agentId', 'inviter', 'limit', 'cursor', 'tokenId', 'toString', '_meta'),
    value,
    { maxKeys: 3 },
  );
  await fc.assert(
    fc.asyncProperty(method, name, given, async (called, tool, members) => {
      const params = { name: tool, arguments: members, ...members };
      await post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: called, params }));
    }),
    settings,
  );
});

test('messages with any parts', async () => {
  const part = fc.dictionary(
    fc.constantFrom('text', 'data', 'raw', 'url', 'mediaType'),
    fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string(), fc.constantFrom('text/plain', 'status')),
    { maxKeys: 3 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 3 }), async (parts) => {
      const message = { messageId: 'm', role: 'ROLE_USER', parts };
      await post('/a2a/v1/message:send', JSON.stringify({ message }));
    }),
    settings,
  );
});
