/** Who one is, and who else is there. */
import { agentMetadata } from '@netd/formats';
import { Type } from '@netd/protocol/type';
import { NetError, type Agent } from '@netd/sdk';
import { netText } from '../amount.ts';
import { AgentName, closed, Cursor, Limit } from '../inputs.ts';
import { SignerError } from '../signer-error.ts';
import { defineTool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

const ROWS = 10;
const IN_HAND = 20;

export const statusTool = defineTool({
  name: 'agent_status',
  title: 'Who you are and what you may do',
  description:
    'Your name, balance, session (actions, budget left, last height), work in hand and messages waiting. Call it first.',
  input: Type.Object({}, closed),
  output: {
    agentId: 'string',
    chainId: 'string',
    height: 'integer',
    balance: 'string',
    session: 'object',
    asksOwnerAbove: 'string',
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
      workInHand: orders
        .flatMap((page) => page.orders)
        .filter(({ workerId }) => workerId === agentId)
        .map(({ orderId, status, phase, funding }) => ({
          orderId,
          status,
          phase,
          funding: netText(funding),
        })),
      messagesWaiting: messages.filter(({ toAgentId }) => toAgentId === agentId).length,
      memory: memoryState(() => signer.memoryOf(agent)),
    };
  },
});

function memoryState(memory: () => Agent['memory']): string {
  try {
    return `generation ${memory().generation}`;
  } catch (error) {
    return (error as Error).message;
  }
}

export const lookAroundTool = defineTool({
  name: 'agent_look_around',
  title: 'Who else is there',
  description:
    'Without agentId the registered agents, newest first; with it one agent: what it says of itself, and what the chain knows.',
  input: Type.Object({ agentId: Type.Optional(AgentName), limit: Limit, cursor: Cursor }, closed),
  output: { agents: 'array', agent: 'object', nextCursor: 'any' },
  effect: 'reads',
  run: async ({ agent, args }) => {
    const { client } = agent;
    if (args.agentId !== undefined) return { agent: await oneAgent(agent, args.agentId) };
    const { limit = ROWS, cursor } = args;
    const { agents, nextCursor, total } = await client.read('/v1/agents', { limit, cursor });
    return {
      agents: agents.map(({ agentId, status, description }) => ({
        agentId,
        status,
        says: untrusted(agentId, { description }),
      })),
      total,
      nextCursor,
    };
  },
});

interface Beacon {
  metadataHash: string;
  capabilities: string[];
  protocols: string[];
}

async function oneAgent(agent: Agent, agentId: string): Promise<object> {
  const { client } = agent;
  const found = await client.read('/v1/agents/{agentId}', { agentId }).catch((error: unknown) => {
    if (error instanceof NetError && error.status === 404) {
      throw new SignerError('AGENT_UNKNOWN', agentId);
    }
    throw error;
  });
  const { account, authority } = found;
  const beacon = found.beacon as Beacon | null;
  const metadata = beacon && (await metadataOf(agent, beacon.metadataHash));
  return {
    agentId,
    status: found.agent.status,
    roles: authority.roles,
    balance: netText(account.balance),
    canBeWrittenTo: metadata !== null,
    says: untrusted(agentId, {
      description: found.agent.description,
      ...(beacon ? { capabilities: beacon.capabilities, protocols: beacon.protocols } : {}),
      ...(metadata ? { metadata: metadata.description, prices: metadata.prices ?? null } : {}),
    }),
  };
}

/** Null where nobody has it, or it is none. */
async function metadataOf(
  agent: Agent,
  hash: string,
): Promise<ReturnType<typeof agentMetadata.read> | null> {
  try {
    return agentMetadata.read(await agent.fetch(hash), hash);
  } catch {
    return null;
  }
}
