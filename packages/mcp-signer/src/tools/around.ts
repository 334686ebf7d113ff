import { agentMetadata } from '@netd/formats';
import { Type } from '@netd/protocol/type';
import { NetError, type Agent, type SessionFile } from '@netd/sdk';
import { AgentError, originOfUri } from '@netd/sdk/internal';
import { netText } from '@netd/protocol';
import { AgentName, closed, Cursor, Limit } from '../inputs.ts';
import { cursorAt, cutRow, offsetOf, rowBytes, valuePage } from '../page.ts';
import { SPANS } from '../policy.ts';
import { refusalOf } from '../refusal.ts';
import type { Signer } from '../signer.ts';
import { SignerError } from '../signer-error.ts';
import { defineTool } from '../tool.ts';
import { untrusted } from '@netd/protocol/untrusted';

const ROWS = 10;
const IN_HAND = 8;

export const statusTool = defineTool({
  name: 'agent_status',
  title: 'Who you are and what you may do',
  description:
    'Your name, balance, session (actions, budget left, last height), what you have spent and may still spend, work in hand and messages waiting. Call it first.',
  input: Type.Object({}, closed),
  output: {
    agentId: 'string',
    chainId: 'string',
    height: 'integer',
    balance: 'string',
    session: 'object',
    asksOwnerAbove: 'string',
    spending: 'object',
    canBeWrittenTo: 'any',
    hint: 'string',
    workInHand: 'array',
    messagesWaiting: 'integer',
    memory: 'string',
  },
  effect: 'reads',
  run: async ({ agent, signer }) => {
    const { agentId, client, chainId } = agent;
    const { sessionId, encryptionKey } = signer.session;
    const found = await client.read('/v1/agents/{agentId}', { agentId });
    const session = found.sessions.find((one) => one.sessionId === sessionId);
    const query = { agentId, limit: IN_HAND } as const;
    const orders = await Promise.all(
      (['ACCEPTED', 'VERIFYING'] as const).map((status) =>
        client.read('/v1/work-orders', { ...query, status }),
      ),
    );
    const { messages } = await client.read('/v1/agent-messages', {
      agentId,
      status: 'PENDING',
      expired: 'false',
      limit: 100,
    });
    return {
      agentId,
      chainId,
      height: found.snapshot.height,
      balance: netText(found.account.balance),
      session: session
        ? {
            sessionId,
            actions: session.actions,
            budgetLeft: netText(session.budget - session.spent),
            mostPerAction: session.maxAmount === null ? null : netText(session.maxAmount),
            lastHeight: session.expiresAtHeight,
            readsSealed: encryptionKey !== null,
          }
        : { sessionId, ended: 'It has expired or was revoked: ask the owner for another one.' },
      asksOwnerAbove: netText(signer.askAbove),
      spending: await spendingOf(signer, session ?? null),
      ...(await answersReach(agent, signer.session)),
      workInHand: orders
        .flatMap((page) => page.orders)
        .filter(({ workerId }) => workerId === agentId)
        .map(({ orderId, requesterId, status, phase, funding }) => ({
          status,
          phase,
          funding: netText(funding),
          says: untrusted(requesterId, { orderId }),
        })),
      messagesWaiting: messages.filter(({ toAgentId }) => toAgentId === agentId).length,
      memory: memoryState(() => signer.memoryOf(agent)),
    };
  },
});

const RECENT = 5;

/**
 * Returns the spending by tool and the rest of each limit. Null means that only the session's budget applies.
 */
async function spendingOf(
  signer: Signer,
  session: { budget: number; spent: number } | null,
): Promise<object> {
  const { policy, askAbove } = signer;
  const log = await signer.spendingLog();
  if (session) await log.reconcile(session.spent);
  const { entries } = log;
  const byTool = new Map<string, number>();
  for (const { tool, amount } of entries) byTool.set(tool, (byTool.get(tool) ?? 0) + amount);
  const left = SPANS.map(([name, span]) => {
    const most = policy[name];
    return [name, most === null ? null : netText(Math.max(0, most - log.within(span)))];
  });
  return {
    total: netText(log.within(Infinity)),
    on: Object.fromEntries([...byTool].map(([tool, amount]) => [tool, netText(amount)])),
    recent: entries.slice(-RECENT).map(({ at, tool, to, amount, approved }) => ({
      at: new Date(at).toISOString(),
      tool,
      amount: netText(amount),
      approved,
      ...(to === null ? {} : { to: untrusted(null, to) }),
    })),
    left: {
      perCall: policy.perCall === null ? null : netText(policy.perCall),
      ...Object.fromEntries(left),
      beforeAsking: netText(log.unaskedLeft(askAbove)),
    },
    ...(policy.recipients ? { recipients: policy.recipients.slice(0, 20) } : {}),
    ...(policy.alwaysAsk.length > 0 ? { alwaysAsks: policy.alwaysAsk } : {}),
  };
}

function memoryState(memory: () => Agent['memory']): string {
  try {
    const { generation } = memory();
    return Number.isSafeInteger(generation) ? `generation ${generation}` : 'generation unknown';
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === null) throw error;
    return refused.message;
  }
}

export const lookAroundTool = defineTool({
  name: 'agent_look_around',
  title: 'Who else is there',
  description:
    'Without agentId the registered agents, newest first; with it one agent: what it says of itself, and what the chain knows.',
  input: Type.Object({ agentId: Type.Optional(AgentName), limit: Limit, cursor: Cursor }, closed),
  output: { agents: 'array', agent: 'object', total: 'integer', nextCursor: 'any' },
  effect: 'reads',
  run: async ({ agent, args }) => {
    const { client } = agent;
    if (args.agentId !== undefined) {
      return oneAgent(agent, args.agentId, offsetOf(args.cursor));
    }
    const { limit = ROWS, cursor } = args;
    const { agents, nextCursor, total } = await client.read('/v1/agents', { limit, cursor });
    return {
      agents: agents.map(({ agentId, status, description }) => ({
        status,
        says: untrusted(agentId, cutRow({ description: description ?? '' }, rowBytes(limit))),
      })),
      total,
      nextCursor,
    };
  },
});

interface Beacon {
  metadataHash: string;
  endpoint: string;
  capabilities: string[];
  protocols: string[];
}

async function oneAgent(agent: Agent, agentId: string, offset: number): Promise<object> {
  const { client } = agent;
  const found = await client.read('/v1/agents/{agentId}', { agentId }).catch((error: unknown) => {
    if (error instanceof NetError && error.status === 404) {
      throw new SignerError('AGENT_UNKNOWN');
    }
    throw error;
  });
  const { account, authority } = found;
  const beacon = found.beacon as Beacon | null;
  const told = beacon && (await metadataOf(agent, beacon));
  const metadata = told === 'unknown' ? null : told;
  const { nextOffset, ...said } = valuePage(
    {
      description: found.agent.description,
      ...(beacon ? { capabilities: beacon.capabilities, protocols: beacon.protocols } : {}),
      ...(metadata ? { metadata: metadata.description, prices: metadata.prices ?? null } : {}),
    },
    offset,
  );
  return {
    agent: {
      status: found.agent.status,
      roles: authority.roles,
      balance: netText(account.balance),
      ...(told === 'unknown'
        ? { canBeWrittenTo: null, hint: BUSY }
        : { canBeWrittenTo: metadata !== null }),
      says: untrusted(agentId, 'value' in said ? said.value : said),
    },
    nextCursor: cursorAt(nextOffset),
  };
}

/** Returns whether other agents can write to this one; null if the store that may have its key is busy. */
export async function answersReach(
  agent: Agent,
  { encryptionKey }: SessionFile,
): Promise<{ canBeWrittenTo: boolean | null; hint?: string }> {
  const { agentId, client } = agent;
  const found = await client.read('/v1/agents/{agentId}', { agentId });
  const beacon = found.beacon as Beacon | null;
  const metadata = beacon && (await metadataOf(agent, beacon));
  if (metadata === 'unknown') return { canBeWrittenTo: null, hint: BUSY };
  const published = metadata?.encryptionKey.kid;
  if (encryptionKey !== null && published === encryptionKey.kid) return { canBeWrittenTo: true };
  const why = published
    ? 'This session does not have the key that others seal to'
    : 'The agent publishes no key that others could seal to';
  return {
    canBeWrittenTo: false,
    hint: `${why}: messages and answers cannot reach you. Tell the owner of this agent if you need them.`,
  };
}

async function placesOf(agent: Agent, agentId: string): Promise<readonly string[] | 'unknown'> {
  const found = await agent.client.read('/v1/agents/{agentId}', { agentId });
  const beacon = found.beacon as Beacon | null;
  const metadata = beacon && (await metadataOf(agent, beacon));
  if (metadata === 'unknown') return metadata;
  return metadata?.blobs ?? [];
}

/**
 * @throws AgentError BLOB_NOT_FOUND if no store has it; BLOB_UNAVAILABLE if a busy store may have it or know
 * where it is
 */
export async function fetchOf(agent: Agent, ownerId: string, hash: string): Promise<Uint8Array> {
  const places = await placesOf(agent, ownerId);
  try {
    return await agent.fetch(hash, places === 'unknown' ? [] : places);
  } catch (error) {
    const isAbsent = error instanceof AgentError && error.code === 'BLOB_NOT_FOUND';
    if (places !== 'unknown' || !isAbsent) throw error;
    throw new AgentError('BLOB_UNAVAILABLE', hash);
  }
}

const BUSY =
  'A store that may have what the agent says of itself, its key among it, is busy or does not answer: ask again later.';

/** Returns null if no readable metadata exists, `unknown` if a busy store may have it. */
async function metadataOf(
  agent: Agent,
  { metadataHash: hash, endpoint }: Beacon,
): Promise<ReturnType<typeof agentMetadata.read> | null | 'unknown'> {
  try {
    const own = originOfUri(endpoint, hash);
    return agentMetadata.read(await agent.fetch(hash, own === null ? [] : [own]), hash);
  } catch (error) {
    return error instanceof AgentError && error.code === 'BLOB_UNAVAILABLE' ? 'unknown' : null;
  }
}
