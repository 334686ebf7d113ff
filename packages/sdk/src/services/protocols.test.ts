/** Services as tools of the official MCP server, and as skills of A2A. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { AgentSkill } from '@a2a-js/sdk';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defineService } from '../index.ts';
import { buyTool, toA2aSkill, toMcp, type McpTool } from './index.ts';

const count = defineService({
  name: 'count',
  description: 'Count letters.',
  // Its worker gets another value than its buyer gives.
  input: z.object({ text: z.string().transform((text) => text.trim().length) }),
  output: z.object({ letters: z.number().max(9) }),
  price: '10 NET',
  handler: ({ data }) => ({ letters: data.text }),
});

/** Returns a client of a server with one tool. */
async function clientOf<Input>(t: TestContext, tool: McpTool<Input>): Promise<Client> {
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  server.registerTool(tool.name, tool.config, tool.handler);
  const client = new Client({ name: 'test', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  t.after(() => client.close());
  return client;
}

const textOf = (result: object): string =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join('');

test('a service is a tool that runs its handler', async (t) => {
  const client = await clientOf(t, toMcp(count));
  const [tool] = (await client.listTools()).tools;
  assert.deepEqual(
    [tool?.name, tool?.title, tool?.description],
    ['count', 'count', 'Count letters.'],
  );
  assert.deepEqual(tool?.inputSchema.properties, { text: { type: 'string' } });
  assert.deepEqual(tool?.outputSchema?.['properties'], { letters: { type: 'number', maximum: 9 } });
  const result = await client.callTool({ name: 'count', arguments: { text: ' four ' } });
  assert.deepEqual([result.structuredContent, textOf(result)], [{ letters: 4 }, '{"letters":4}']);
  assert.equal(result.isError, undefined);
  const wrong = await client.callTool({ name: 'count', arguments: { text: 4 } });
  assert.equal(wrong.isError, true);
  const long = await client.callTool({ name: 'count', arguments: { text: 'more than nine' } });
  assert.deepEqual([long.isError, /9/.test(textOf(long))], [true, true]);
});

test('a handler that needs an order fails by MCP, and says what it missed', async (t) => {
  const needy = defineService({ ...types, handler: ({ order }) => ({ letters: order.funding }) });
  const client = await clientOf(t, toMcp(needy));
  const result = await client.callTool({ name: 'needy', arguments: { text: '' } });
  assert.deepEqual(
    [result.isError, /job\.order needs an order/.test(textOf(result))],
    [true, true],
  );
});

test('a bought tool orders the service with the input as the model gave it', async (t) => {
  const asked: unknown[] = [];
  const call = async (service: object, input: object, options: object): Promise<unknown> => {
    asked.push([service, input, options]);
    if ('text' in input && input.text === '') throw new Error('INSUFFICIENT_BALANCE: draw some');
    return { letters: 4 };
  };
  const agent = { call } as unknown as Parameters<typeof buyTool>[0];
  const client = await clientOf(t, buyTool(agent, count, { worker: 'ada' }));
  const [tool] = (await client.listTools()).tools;
  assert.match(tool?.description ?? '', /Count letters\.[^]*pays 10 NET/);
  assert.equal(tool?.annotations?.readOnlyHint, false);
  const result = await client.callTool({ name: 'count', arguments: { text: ' four ' } });
  assert.deepEqual(result.structuredContent, { letters: 4 });
  assert.deepEqual(asked, [[count, { text: ' four ' }, { worker: 'ada' }]]);
  const poor = await client.callTool({ name: 'count', arguments: { text: '' } });
  assert.deepEqual([poor.isError, textOf(poor)], [true, 'INSUFFICIENT_BALANCE: draw some']);
});

test('a service is a skill of A2A', () => {
  const skill: AgentSkill = toA2aSkill(count);
  assert.deepEqual([skill.id, skill.description], ['count', 'Count letters.']);
  assert.deepEqual(skill.tags, ['count', 'paid']);
  assert.deepEqual(
    [skill.inputModes, skill.outputModes],
    [['application/json'], ['application/json']],
  );
});

test('a service of other values than objects, or without a handler, is no tool', () => {
  const refused = { code: 'ARGUMENT_INVALID' };
  const words = defineService({ ...types, input: z.string(), handler: () => ({ letters: 1 }) });
  assert.throws(() => toMcp(words), { ...refused, data: { path: '/input' } });
  const bare = defineService(types);
  assert.throws(() => toMcp(bare as never), { ...refused, data: { path: '/handler' } });
});

const types = {
  name: 'needy',
  input: z.object({ text: z.string() }),
  output: z.object({ letters: z.number() }),
  price: 5,
} as const;
