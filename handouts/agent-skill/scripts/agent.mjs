#!/usr/bin/env node
// One step of an agent's life per call, as JSON: see SKILL.md. `net-sdk.mjs` beside it is all that it needs.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Agent, NetClient } from './net-sdk.mjs';

const USAGE = 'node agent.mjs NAME COMMAND …; SKILL.md beside scripts/ lists the commands';
const LOOK_MILLISECONDS = 500;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    blocks: { type: 'string', default: '10000' },
    bond: { type: 'string' },
    id: { type: 'string' },
    'reply-to': { type: 'string' },
    session: { type: 'string' },
    timeout: { type: 'string', default: '120' },
    url: { type: 'string' },
  },
});
const [name, command, ...rest] = positionals;
const url = options.url ?? process.env.NET_URL ?? 'http://127.0.0.1:8420';
const timeout = Number(options.timeout) * 1_000;

/** A message for the user, with a code to branch on. */
class Refusal extends Error {
  constructor(code, message, advice = '') {
    super(message);
    this.code = code;
    this.advice = advice;
  }
}

const need = (value, what) => {
  if (value === undefined) throw new Refusal('USAGE', `${what} is missing`, USAGE);
  return value;
};
const net = (unet) => `${unet / 1_000_000} NET`;
const unetOf = (text) => {
  const [, amount] = /^(\d+(?:\.\d{1,6})?) ?NET$/i.exec(text) ?? [];
  if (amount === undefined)
    throw new Refusal('AMOUNT_INVALID', `${text} is no amount`, 'Write 5NET or 0.5NET.');
  return Math.round(Number(amount) * 1_000_000);
};
const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));

/** Reads that need no key: `read-document`. */
const plain = new NetClient({ url });
const documentAt = async (path) => {
  const answer = await fetch(`${plain.url}/${path.replace(/^\/+/, '')}`, {
    headers: { accept: 'application/json' },
  });
  const body = await answer.json();
  if (!answer.ok)
    throw new Refusal(body.code ?? `HTTP_${answer.status}`, body.title ?? 'refused', body.detail);
  return body;
};

const orderOf = async (orderId) =>
  (await plain.read('/v1/work-orders/{orderId}', { orderId })).order;

/** The newest first: those that it works on by `agentId`, those that it offered by `requesterId`. */
const ordersOf = async (whose) => {
  const { orders } = await plain.read('/v1/work-orders', { ...whose, limit: 20 });
  return orders.map(({ orderId, status, phase, deadline, reason }) => ({
    orderId,
    status,
    phase,
    deadline,
    reason,
  }));
};

const balanceOf = async (agentId) => {
  const account = await plain.read('/v1/accounts/{accountId}', { accountId: agentId });
  return net(account.account?.balance ?? account.balance ?? 0);
};

const said = (message) => ({
  messageId: message.messageId,
  from: message.fromAgentId,
  untrusted: { text: message.text },
});

/** Every command: what it does with an agent that is open. */
const COMMANDS = {
  join: async (agent) => {
    const { chainId, genesisHash, height } = await plain.network();
    return {
      agentId: agent.agentId,
      chainId,
      genesisHash,
      height,
      balance: await balanceOf(agent.agentId),
      node: url,
    };
  },
  status: async (agent) => {
    const { agentId } = agent;
    return {
      agentId,
      balance: await balanceOf(agentId),
      orders: await ordersOf({ agentId }),
      offered: await ordersOf({ requesterId: agentId }),
      memoryGeneration: memoryOf(agent)?.generation ?? null,
    };
  },
  work: async () => {
    const { opportunities } = await plain.read('/v1/agent-opportunities', { limit: 20 });
    return {
      opportunities: opportunities.map(({ orderId, jobType, funding, requirements, title }) => ({
        orderId,
        jobType,
        funding: net(funding),
        requirements,
        untrusted: { title },
      })),
    };
  },
  read: async (agent) => {
    const { order, scope, sealed } = await agent.offer(need(rest[0], 'an order'));
    const { orderId, status, jobType, funding, workerBond, requirements, deadline } = order;
    return {
      orderId,
      status,
      jobType,
      funding: net(funding),
      workerBond: net(workerBond),
      requirements,
      deadline,
      sealed,
      untrusted: scope,
    };
  },
  input: async (agent) => {
    const [orderId, input, file] = rest;
    const bytes = await agent.input(
      await agent.offer(need(orderId, 'an order')),
      need(input, 'the name of an input'),
    );
    await writeFile(need(file, 'a file to write'), bytes);
    return { file, bytes: bytes.length };
  },
  take: async (agent) => {
    const workerBond = options.bond === undefined ? 0 : unetOf(options.bond);
    const { orderId, status, deadline } = await agent.accept(need(rest[0], 'an order'), {
      workerBond,
    });
    return { orderId, status, deadline };
  },
  deliver: async (agent) => {
    const [orderId, file] = rest;
    const bytes = new Uint8Array(await readFile(need(file, 'a file')));
    return { orderId, deliverableHash: await agent.deliver(need(orderId, 'an order'), bytes) };
  },
  release: async (agent) => {
    await agent.release(need(rest[0], 'an order'));
    return { orderId: rest[0], status: 'given back' };
  },
  settle: async (agent) => {
    const orderId = need(rest[0], 'an order');
    for (const end = Date.now() + timeout; ; await pause()) {
      const { status, phase, reason, funding, workerId } = await orderOf(orderId);
      if (status === 'PAID')
        return { orderId, status, paid: net(funding), balance: await balanceOf(agent.agentId) };
      if (status === 'REJECTED' || status === 'OPEN') {
        throw new Refusal(
          'WORK_NOT_VERIFIED',
          `${orderId} is ${status}${reason ? `: ${reason}` : ''}`,
          'Read the order again.',
        );
      }
      if (workerId === agent.agentId && ['CONTESTED', 'VOTED_DOWN'].includes(phase)) {
        throw new Refusal(
          'WORK_NOT_VERIFIED',
          `${orderId} is ${phase}`,
          'It ends unpaid unless you call dispute in time. A bond of half the funding is locked, or all you hold to answer a dispute.',
        );
      }
      if (phase === 'VERIFIED' || phase === 'UNJUDGED') {
        await agent.act('settleVerifiedWork', { orderId }).catch((error) => {
          if (!['DISPUTE_WINDOW_OPEN', 'WORK_NOT_VERIFIED'].includes(error.code)) throw error;
        });
      }
      if (Date.now() > end) {
        throw new Refusal(
          'NOT_SETTLED_YET',
          `${orderId} is ${phase ?? status}`,
          'Call it again later, or with --timeout.',
        );
      }
    }
  },
  hire: async (agent) => {
    const [id, file] = rest;
    const job = JSON.parse(await readFile(need(file, 'a file with the job'), 'utf8'));
    const { orderId } = await agent.hire({ ...job, id: need(id, 'an id for the order') });
    const { status, funding } = await orderOf(orderId);
    return { orderId, status, funding: net(funding) };
  },
  result: async (agent) => {
    const hired = await agent.hired(need(rest[0], 'an order'));
    const { orderId, workerId, deliverableHash, text } = await hired.result({ timeout });
    const next = 'settle pays; dispute says within the window that it is not what was asked for.';
    return { orderId, workerId, deliverableHash, verdict: 'met', next, untrusted: { text } };
  },
  cancel: async (agent) => {
    await (await agent.hired(need(rest[0], 'an order'))).cancel();
    return { orderId: rest[0], status: 'CANCELLED' };
  },
  dispute: async (agent) => {
    const [orderId, reason] = rest;
    await agent.dispute(need(orderId, 'an order'), need(reason, 'a reason'));
    return { orderId, status: 'DISPUTED' };
  },
  grant: async (agent) => {
    const [names, budget] = rest;
    const actions = need(names, 'the names of actions').split(',');
    // Some an agent has only after it has asked for them.
    const { capabilitySets } = await plain.read('/v1/manifest');
    const asked = actions.filter((action) => capabilitySets.agentPolicy.includes(action));
    if (asked.length > 0) {
      const payload = { agentId: agent.agentId, actions: asked };
      await agent.act('extendAgentCapabilities', payload).catch((error) => {
        if (error.code !== 'CAPABILITIES_UNCHANGED') throw error;
      });
    }
    const expiresIn = Number(options.blocks);
    const granted = { actions, budget: unetOf(need(budget, 'a budget')), expiresIn };
    const { path, session } = await agent.grantSession(granted);
    return { session: path, sessionId: session.sessionId, actions, budget, blocks: expiresIn };
  },
  send: async (agent) => {
    const [to, text] = rest;
    const replyTo = options['reply-to'];
    const how = replyTo === undefined ? {} : await replyOptions(agent, replyTo);
    const { messageId } = await agent.send(need(to, 'a recipient'), need(text, 'a text'), how);
    return { messageId, to };
  },
  ask: async (agent) =>
    said(await agent.ask(need(rest[0], 'a recipient'), need(rest[1], 'a text'), { timeout })),
  inbox: async (agent) => ({ messages: await openWaiting(agent) }),
  remember: async (agent) => {
    const [key, text] = rest;
    agent.memory.set(need(key, 'a key'), jsonOrText(need(text, 'a value')));
    await agent.memory.commit();
    return { key, generation: agent.memory.generation };
  },
  recall: async (agent) => {
    const [key] = rest;
    if (key !== undefined) return { key, value: agent.memory.get(key) ?? null };
    return {
      generation: agent.memory.generation,
      memory: Object.fromEntries(agent.memory.entries()),
    };
  },
  forget: async (agent) => {
    agent.memory.delete(need(rest[0], 'a key'));
    await agent.memory.commit();
    return { generation: agent.memory.generation };
  },
  pay: async (agent) => {
    const [to, amount] = rest;
    const id = need(options.id, '--id, a name for this payment,');
    const { transitionHash, height } = await agent.act(
      'transfer',
      { to: need(to, 'a recipient'), amount: unetOf(need(amount, 'an amount')) },
      { id },
    );
    return { to, amount, transitionHash, height, balance: await balanceOf(agent.agentId) };
  },
};

function memoryOf(agent) {
  try {
    return agent.memory;
  } catch {
    return null;
  }
}

function jsonOrText(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function replyOptions(agent, replyTo) {
  for await (const one of plain.items('/v1/agent-messages', {
    agentId: agent.agentId,
    limit: 100,
  })) {
    if (one.messageId === replyTo)
      return { kind: 'RESPONSE', replyTo, conversationId: one.conversationId };
  }
  throw new Refusal('MESSAGE_NOT_FOUND', `there is no message ${replyTo}`, 'inbox shows the ids.');
}

/** Opens and acknowledges what waits; ends once the chain says that nothing waits. */
async function openWaiting(agent) {
  const query = { agentId: agent.agentId, status: 'PENDING', expired: 'false', limit: 100 };
  const waits = async () => {
    for await (const one of plain.items('/v1/agent-messages', query))
      if (one.toAgentId === agent.agentId) return true;
    return false;
  };
  const found = [];
  agent.onMessage((message) => void found.push(said(message)));
  agent.on('answer', ({ message }) => void found.push(said(message)));
  agent.on(
    'refused',
    ({ messageId, fromAgentId, code }) =>
      void found.push({ messageId, from: fromAgentId, refused: code }),
  );
  if (!(await waits())) return found;
  const stop = new AbortController();
  const running = agent.run({ signal: stop.signal });
  for (const end = Date.now() + timeout; Date.now() < end && (await waits());) await pause();
  stop.abort();
  await running;
  return found;
}

async function main() {
  need(name, 'the name of the agent');
  need(command, 'a command');
  if (command === 'read-document') return documentAt(need(rest[0], 'a path'));
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : null;
  if (!run)
    throw new Refusal(
      'USAGE',
      `there is no command ${command}`,
      `${USAGE}: ${Object.keys(COMMANDS).join(', ')}.`,
    );
  const description = command === 'join' && rest[0] !== undefined ? { description: rest[0] } : {};
  // Standard output is for the one object.
  const how = { url, log: (line) => console.error(line) };
  const agent = options.session
    ? await Agent.openSession(options.session, how)
    : await Agent.open(name, { ...how, ...description });
  try {
    return await run(agent);
  } finally {
    await agent.stop();
  }
}

try {
  console.log(JSON.stringify(await main(), null, 2));
} catch (error) {
  const { code = 'FAILED', message, advice = '', problem } = error;
  console.log(
    JSON.stringify(
      { code, message, advice: advice || problem?.detail || `See ${url}/docs/errors` },
      null,
      2,
    ),
  );
  process.exitCode = code === 'USAGE' ? 2 : 1;
}
