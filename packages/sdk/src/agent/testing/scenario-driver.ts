/**
 * Plays steps of conformance/scenario/scenario.json: one JSON object per line in, one answer per line out. Arguments: the
 * options of its agents as JSON, where `elsewhere` is the directory of keys of another machine.
 */
import { createInterface } from 'node:readline';
import { workScope } from '@netd/formats';
import { type JsonObject, type JsonValue } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { NetClient } from '../../client.ts';
import { VerifiedReader } from '../../verified-reader.ts';
import { Agent, type AgentOptions } from '../agent.ts';
import { codeOf } from '../agent-error.ts';
import { jsonLine } from './json-line.ts';
import { REVIEW_POLICY } from './review-policy.ts';

interface Step {
  do: string;
  agent: string;
  to: string;
  order: string;
  title: string;
  funding: number;
  text: string;
  key: string;
  value: JsonValue;
  action: string;
  actions: never[];
  budget: number;
  payload: JsonObject;
  session: string;
  elsewhere?: boolean;
  runtime: string;
  from: string;
  keys: string[];
  genesisHash: string;
}

const { elsewhere, ...options } = JSON.parse(process.argv[2] ?? '{}') as AgentOptions & {
  elsewhere: string;
};
const agents = new Map<string, Agent>();
const paid = new Map<string, number>();
/** Memories taken over, by the agent they belong to. */
const taken = new Map<string, JsonObject>();

/** A session only acts: its agent may be at work elsewhere. */
function keep(agent: Agent, works: boolean): JsonObject {
  agents.set(agent.agentId, agent);
  if (works) {
    agent.onWork(({ scope }) => `done: ${scope.title}`);
    agent.onMessage(({ text }) => `heard: ${text}`);
    agent.on('paid', ({ orderId, amount }) => void paid.set(orderId, amount));
    agent.onHandover(({ agentId, runtimeId, generation, entries }) => {
      taken.set(agentId, { runtime: runtimeId, generation, entries });
    });
    void agent.run();
  }
  return {};
}

const PLAYS: Record<string, (step: Step, agent: Agent) => Promise<JsonObject>> = {
  open: async ({ agent, elsewhere: away, runtime }) =>
    keep(await Agent.open(agent, { ...options, runtime, ...(away && { keys: elsewhere }) }), !away),
  openSession: async ({ session }) =>
    keep(await Agent.openSession(session, { ...options, keys: elsewhere }), false),
  act: async ({ action, payload }, agent) => {
    await agent.act(action, payload);
    return {};
  },
  offer: async ({ to, order, title, funding }, agent) => {
    const { bytes } = workScope.make({
      schema: 'NET-WORK-SCOPE/1',
      title,
      instructions: 'Say the title.',
      inputs: [],
      deliverable: { mediaType: 'text/plain', maxBytes: 1_000 },
      acceptance: [{ kind: 'review', question: 'Is it the title?' }],
    });
    await agent.act('createWorkOrder', {
      orderId: order,
      agentId: to,
      title: 'A job of the scenario',
      scopeHash: await agent.store(bytes),
      jobType: 'research',
      requirements: ['research'],
      funding,
      validationPolicy: REVIEW_POLICY,
    });
    return {};
  },
  paid: async ({ order }) => ({ amount: await until(async () => paid.get(order) ?? null) }),
  result: async ({ order: orderId }, agent) => {
    const { order } = await agent.client.read('/v1/work-orders/{orderId}', { orderId });
    const text = new TextDecoder().decode(await agent.fetch(order.result?.deliverableHash ?? ''));
    return { status: order.status, text };
  },
  ask: async ({ to, text }, agent) => {
    const answer = await agent.ask(to, text);
    return { text: answer.text, from: answer.fromAgentId };
  },
  remember: async ({ key, value }, agent) => {
    agent.memory.set(key, value);
    await agent.memory.commit();
    return { generation: agent.memory.generation };
  },
  recall: async ({ key }, agent) => ({
    value: agent.memory.get(key) as JsonValue,
    generation: agent.memory.generation,
  }),
  rotate: async (_step, agent) => {
    await agent.rotateEncryptionKey();
    return {};
  },
  handOver: async ({ to, runtime }, agent) => {
    const { generation } = await agent.memory.handOver({ providerId: to, runtimeId: runtime });
    return { generation };
  },
  taken: async ({ from }) => until(async () => taken.get(from) ?? null),
  grant: async ({ actions, budget }, agent) => {
    const { name } = await agent.grantSession({ actions, budget });
    return { saved: `${options.keys}/${agent.chainId}/${name}.json` };
  },
  close: async (_step, agent) => {
    await agent.stop();
    agents.delete(agent.agentId);
    return {};
  },
  prove: async ({ keys, genesisHash }) => {
    const client = new NetClient({ url: options.url ?? '' });
    const reader = new VerifiedReader(client, { genesisHash });
    const proven: JsonObject[] = [];
    for (const key of keys) {
      const { value, present, verdict } = await reader.readState(key);
      proven.push({ key, present, value: value as JsonValue, verdict });
    }
    return { proven };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const step = JSON.parse(line) as Step;
  let answer: JsonObject;
  try {
    const play = PLAYS[step.do];
    if (!play) throw new Error(`there is no step ${step.do}`);
    answer = await play(step, agents.get(step.agent) as Agent);
  } catch (error) {
    const code = codeOf(error);
    answer = code === null ? { error: String((error as Error).stack) } : { code };
  }
  process.stdout.write(jsonLine(answer));
}
for (const agent of agents.values()) await agent.stop();
