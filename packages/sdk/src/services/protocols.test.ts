/** Services as tools of the official MCP server, and as skills of A2A. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { AgentSkill } from '@a2a-js/sdk';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AgentError, defineService, memoryHome, type Agent, type CallOptions } from '../index.ts';
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

/** Returns an agent that calls as the test says, with the real state and the names of its signed hires. */
async function buyerOf(
  call: (input: { text: string }, options: CallOptions) => Promise<object>,
): Promise<{
  agent: Agent;
  hires: Set<string>;
  names: () => Promise<string[]>;
  /** Ends the agent. */
  stop: () => void;
  /** Returns the agent as after a restart of its process. */
  restart: () => Agent;
}> {
  const state = await memoryHome().openState();
  const stopped = new AbortController();
  const hires = new Set<string>();
  const outbox = {
    signed: async (name: string) => (hires.has(name) ? {} : null),
    holds: async (name: string) => hires.has(name),
    forget: async (name: string) => void hires.delete(name),
  };
  const called = async (_service: object, input: { text: string }, options: CallOptions) =>
    call(input, options);
  const poller = { signal: stopped.signal };
  const parts = { state, outbox, poller };
  const agentOf = (more: object): Agent =>
    ({ call: called, parts: { ...parts, ...more } }) as unknown as Agent;
  return {
    agent: agentOf({}),
    hires,
    names: () => state.names(),
    stop: () => stopped.abort(new AgentError('AGENT_STOPPED', 'buyer')),
    restart: () => agentOf({ state: { ...state } }),
  };
}

test('a bought tool orders the service with the input as the model gave it', async (t) => {
  const asked: unknown[] = [];
  const { agent, names } = await buyerOf(async (input, { id, signal, ...options }) => {
    asked.push([input, options]);
    assert.match(id ?? '', /^order-/);
    assert.equal(signal?.aborted, false);
    if (input.text === '') throw new Error('INSUFFICIENT_BALANCE: draw some');
    return { letters: 4 };
  });
  const client = await clientOf(t, buyTool(agent, count, { worker: 'ada', timeout: 5_000 }));
  const [tool] = (await client.listTools()).tools;
  assert.match(tool?.description ?? '', /Count letters\.[^]*pays 10 NET/);
  assert.equal(tool?.annotations?.readOnlyHint, false);
  const result = await client.callTool({ name: 'count', arguments: { text: ' four ' } });
  assert.deepEqual(result.structuredContent, { letters: 4 });
  assert.deepEqual(asked, [[{ text: ' four ' }, { worker: 'ada', timeout: 5_000 }]]);
  const poor = await client.callTool({ name: 'count', arguments: { text: '' } });
  assert.deepEqual([poor.isError, textOf(poor)], [true, 'INSUFFICIENT_BALANCE: draw some']);
  assert.deepEqual(await names(), []);
});

test('a repeated call continues the order that its timeout left open, and no other', async () => {
  const ids: string[] = [];
  const ends: (string | null)[] = ['CALL_TIMEOUT', 'BLOB_UNAVAILABLE', 'ORDER_UNPAID', null, null];
  const buyer = await buyerOf(async (input, { id = '' }) => {
    ids.push(id);
    buyer.hires.add(`hire/${id}`);
    const code = input.text === 'other' ? null : ends.shift();
    if (code) throw new AgentError(code as 'ORDER_UNPAID', 'it failed');
    return { letters: 4 };
  });
  const buy = async (text: string): Promise<string> => {
    // As after a restart, each call has a tool of its own.
    const tool = buyTool(buyer.agent, count, { signal: new AbortController().signal });
    const { isError, ...result } = await tool.handler({ text });
    return isError === true ? textOf(result) : 'bought';
  };
  const open = (said: string): void =>
    assert.match(said, new RegExp(`Order ${ids[0]} stays open\\. Call .* same arguments`));
  open(await buy('four'));
  assert.equal(await buy('other'), 'bought');
  open(await buy('four'));
  assert.match(await buy('four'), new RegExp(`Order ${ids[0]} has ended`));
  assert.equal(await buy('four'), 'bought');
  assert.equal(await buy('four'), 'bought');
  const [first, other, again, last, anew, more] = ids;
  assert.deepEqual([again, last], [first, first]);
  assert.equal(new Set([first, other, anew, more]).size, 4);
  assert.deepEqual([await buyer.names(), [...buyer.hires]], [[], []]);
});

test('calls at the same time with the same arguments pay once', async () => {
  const ids: string[] = [];
  const isForgotten: boolean[] = [];
  let meet = (): void => {};
  const met = new Promise<void>((resolve) => (meet = resolve));
  const buyer = await buyerOf(async (_input, { id = '' }) => {
    buyer.hires.add(`hire/${id}`);
    const place = ids.push(id);
    if (place === 2) meet();
    await met;
    if (place === 1) return { letters: 4 };
    await new Promise((resolve) => setImmediate(resolve));
    isForgotten.push(!buyer.hires.has(`hire/${id}`));
    return { letters: 4 };
  });
  const tool = buyTool(buyer.agent, count, { signal: new AbortController().signal });
  const results = await Promise.all([1, 2].map(async () => tool.handler({ text: 'four' })));
  assert.deepEqual(
    results.map(({ structuredContent }) => structuredContent),
    [{ letters: 4 }, { letters: 4 }],
  );
  assert.equal(ids[0], ids[1]);
  assert.deepEqual([isForgotten, [...buyer.hires], await buyer.names()], [[false], [], []]);
});

test('purchases that were cut before they were signed are bounded, and go with the process', async () => {
  const ids: string[] = [];
  let code: 'CALL_TIMEOUT' | null = 'CALL_TIMEOUT';
  const buyer = await buyerOf(async (input, { id = '' }) => {
    ids.push(id);
    if (input.text === 'signed') buyer.hires.add(`hire/${id}`);
    if (code !== null) throw new AgentError(code, 'call, 1 ms');
    return { letters: 4 };
  });
  const first = buyTool(buyer.agent, count);
  const buy = async (text: string, tool = first): Promise<string> =>
    textOf(await tool.handler({ text }));
  assert.match(await buy('signed'), /stays open/);
  for (let turn = 0; turn < 120; turn++) assert.doesNotMatch(await buy(`cut ${turn}`), /Order/);
  assert.equal((await buyer.names()).length, 101);
  await buy('cut 119');
  assert.equal(ids.at(-1), ids.at(-2));
  const again = buyTool(buyer.restart(), count);
  await buy('cut 119', again);
  assert.equal((await buyer.names()).length, 2);
  code = null;
  await buy('signed', again);
  assert.equal(ids.at(-1), ids[0]);
  await buy('cut 119', again);
  assert.deepEqual(await buyer.names(), []);
});

test('a purchase fails with its store, and the next one does not', async () => {
  const buyer = await buyerOf(async () => ({ letters: 4 }));
  const { state } = buyer.agent['parts'];
  const { names } = state;
  state.names = () => Promise.reject(new Error('the store is away'));
  const tool = buyTool(buyer.agent, count);
  assert.match(textOf(await tool.handler({ text: 'four' })), /the store is away/);
  state.names = names;
  assert.match(textOf(await tool.handler({ text: 'four' })), /4/);
});

test('a stopped agent says that an order stays open only if it was signed, and records no other', async () => {
  const buyer = await buyerOf(async () => {
    buyer.stop();
    throw new AgentError('AGENT_STOPPED', 'buyer');
  });
  const tool = buyTool(buyer.agent, count, {});
  assert.match(
    textOf(await tool.handler({ text: 'four' })),
    /If order order-\S+ was signed, it stays open/,
  );
  const before = await buyer.names();
  const said = textOf(await tool.handler({ text: 'five' }));
  assert.match(said, /AGENT_STOPPED|has stopped/);
  assert.doesNotMatch(said, /stays open/);
  assert.deepEqual(await buyer.names(), before);
});

test('a bought tool ends with the request of its client', async (t) => {
  const begun = Promise.withResolvers<AbortSignal | undefined>();
  const { agent } = await buyerOf(async (_input, { signal }) => {
    begun.resolve(signal);
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new AgentError('CALL_ABORTED', 'call')));
    });
  });
  const client = await clientOf(t, buyTool(agent, count));
  const stop = new AbortController();
  const calling = client.callTool(
    { name: 'count', arguments: { text: 'four' } },
    { signal: stop.signal },
  );
  const signal = await begun.promise;
  const aborted = new Promise((resolve) => {
    signal?.addEventListener('abort', resolve);
  });
  stop.abort();
  await assert.rejects(calling);
  await aborted;
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
