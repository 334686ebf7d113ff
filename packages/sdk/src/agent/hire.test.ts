/** Types of the agent. Nothing here runs: the file passes if it compiles and each expected error occurs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NetClient, type Actor } from '../client.ts';
import type { NetAmount } from '../amount.ts';
import type { AgentTools } from '../tools/agent-tools.ts';
import { vercelTools } from '../tools/frameworks.ts';
import { Agent } from './agent.ts';
import { codeOf } from './agent-error.ts';
import type { Hired, HireResult } from './hired.ts';

const ASKED = {
  title: 'A haiku',
  instructions: 'Three lines.',
  acceptance: [{ kind: 'json-schema', schema: { type: 'string', enum: ['a', 'b'] } }],
  funding: '5 NET',
} as const;
const { acceptance: _acceptance, ...UNJUDGED } = ASKED;

interface Summary {
  text: string;
  words?: number;
  sources: readonly { title: string }[];
}

async function right(agent: Agent): Promise<HireResult> {
  const hired: Hired = await agent.hire(ASKED);
  const options = { worker: undefined, workerBond: undefined, id: undefined, jury: undefined };
  await agent.hire({ ...ASKED, ...options });
  await agent.hire({ ...ASKED, id: 'x', worker: 'ada', funding: 5_000_000 });
  const price: NetAmount = `${Number('5') * 2} NET`;
  await agent.hire({ ...ASKED, funding: price, requirements: ['poetry'] });
  hired.on('voted', ({ reason, untrusted, vote }) => {
    const words: string | null = reason;
    const mark: true = untrusted;
    return [words, mark, vote === 'ACCEPT'];
  });
  hired.on('timedOut', ({ refund }) => {
    const unet: number | null = refund;
    return unet;
  });
  return hired.result({ timeout: 1_000 });
}

async function mistakes(agent: Agent, hired: Hired): Promise<void> {
  // @ts-expect-error the funding is missing
  await agent.hire({ title: 'x', instructions: 'y', acceptance: ASKED.acceptance });
  // @ts-expect-error no kind of condition
  await agent.hire({ ...ASKED, acceptance: [{ kind: 'guess' }] });
  // @ts-expect-error without a condition nobody can judge
  await agent.hire({ ...UNJUDGED, acceptance: [] });
  // @ts-expect-error no amount
  await agent.hire({ ...ASKED, funding: true });
  // @ts-expect-error no unit
  await agent.hire({ ...ASKED, funding: '5' });
  // @ts-expect-error another currency
  await agent.hire({ ...ASKED, workerBond: '5 EUR' });
  // @ts-expect-error a span has heights and milliseconds
  await agent.hire({ ...ASKED, deliverWithin: { heights: 5 } });
  // @ts-expect-error the name of an option is misspelt
  await agent.hire({ ...ASKED, jobtype: 'haiku' });
  // @ts-expect-error no event is called so
  hired.on('vote', () => {});
  // @ts-expect-error a paid order has no reason
  hired.on('paid', ({ reason }) => reason);
  // @ts-expect-error no such vote
  hired.on('voted', ({ vote }) => vote === 'YES');
  // @ts-expect-error there is a reason to say
  await hired.dispute();
  // @ts-expect-error no amount
  await hired.dispute('It is empty.', { bond: 'half' });
  // @ts-expect-error no amount
  await agent.dispute('o-1', 'It is empty.', { bond: '5' });
  // @ts-expect-error no amount
  await agent.accept('o-1', { workerBond: 'all' });
  // @ts-expect-error no amount
  await agent.grantSession({ actions: ['transfer'], budget: '5' });
  // @ts-expect-error no amount
  await agent.grantSession({ actions: ['transfer'], budget: 5, maxAmount: 'much' });
}

async function handlers(agent: Agent, summary: Summary, anything: unknown): Promise<void> {
  agent.onWork(() => 'text');
  agent.onWork(async () => new Uint8Array(1));
  agent.onWork({ minFunding: '1 NET', maxWorkerBond: undefined }, () => summary);
  agent.onWork(({ scope }) => (scope.title === '' ? 'text' : { list: [1, null, true] }));
  agent.onWork(async ({ attempt }) => {
    if (attempt > 1) throw new Error('no');
    return JSON.parse('{}');
  });
  agent.onMessage(() => {});
  agent.onMessage(async ({ text }) => (text === '' ? null : summary));
  agent.onMessage(() => 'text');
  await agent.send('bob', summary);
  await agent.deliver('o-1', summary);
  await agent.store({ list: ['text'] });
  // @ts-expect-error no unit
  agent.onWork({ minFunding: '10' }, () => 'text');
  // @ts-expect-error no amount
  agent.onWork({ maxWorkerBond: 'all' }, () => 'text');
  // @ts-expect-error no result
  agent.onWork(async () => {});
  // @ts-expect-error no result
  agent.onWork(() => null);
  // @ts-expect-error JSON has no maps
  agent.onWork(() => new Map([['a', 1]]));
  // @ts-expect-error JSON has no sets
  agent.onWork(async () => ({ list: new Set(['a']) }));
  // @ts-expect-error JSON has no dates
  agent.onWork(() => ({ now: new Date() }));
  // @ts-expect-error an answer that was not awaited
  agent.onWork(async () => ({ answer: agent.ask('bob', 'Who?') }));
  // @ts-expect-error JSON has no functions
  agent.onWork({ concurrency: 2 }, async () => ({ call: () => 1 }));
  // @ts-expect-error JSON has no large integers
  agent.onWork(async () => ({ id: 1n }));
  // @ts-expect-error nobody knows what it is
  agent.onWork(async () => ({ anything }));
  // @ts-expect-error JSON has no dates
  agent.onMessage(() => ({ now: new Date() }));
  // @ts-expect-error JSON has no maps
  await agent.send('bob', new Map());
  // @ts-expect-error JSON has no dates
  await agent.ask('bob', { now: new Date() });
  // @ts-expect-error an answer that was not awaited
  await agent.deliver('o-1', Promise.resolve('text'));
  // @ts-expect-error JSON has no sets
  await agent.store(new Set(['a']));
}

async function clients(client: NetClient, actor: Actor): Promise<void> {
  await using agent = await Agent.open('ada', { url: process.env['NET_URL'], home: undefined });
  const told = new NetClient({ url: process.env['NET_URL'], timeout: undefined });
  for await (const event of told.events({ type: 'WorkOrderPaid', after: undefined })) {
    // @ts-expect-error no such event
    if (event.type === 'WorkPayed') break; // oxlint-disable-line typescript/no-unsafe-enum-comparison
  }
  // @ts-expect-error no such event
  client.events({ type: 'WorkPayed' });
  await client.act('voteWork', { orderId: 'o-1', vote: 'ACCEPT' });
  // @ts-expect-error no such vote
  await client.act('voteWork', { orderId: 'o-1', vote: 'YES' });
  const asked = { applicationId: 'a-1', capabilities: [], profile: {}, expiresAtHeight: 9 };
  await client.apply(actor, { ...asked, role: 'VERIFIER' });
  // @ts-expect-error no such role
  await client.apply(actor, { ...asked, role: 'JUDGE' });
  try {
    await agent.stop();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'AGENT_STOPPED' || code === 'UNREACHABLE' || code === 'ORDER_UNPAID') throw error;
    // @ts-expect-error no such code
    if (code === 'TOO_POOR') throw error;
  }
}

/** As 'ai' declares it: what the last overload makes fits no tool set. */
interface ToolOfVercel {
  (definition: { execute: (input: unknown) => unknown }): { execute: () => unknown };
  (definition: object): { execute?: undefined };
}

function frameworks(
  tools: AgentTools,
  ai: { tool: ToolOfVercel; jsonSchema: (schema: { type: 'object' }) => object },
): Record<string, { execute: () => unknown }> {
  return vercelTools(tools, ai);
}

test('the agent is typed', () => {
  const names = [right, mistakes, handlers, clients, frameworks].map(({ name }) => name);
  assert.deepEqual(names, ['right', 'mistakes', 'handlers', 'clients', 'frameworks']);
});
