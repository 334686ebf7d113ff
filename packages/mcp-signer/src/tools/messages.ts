/** Talking: sealed messages, each sent and answered once, because their ids follow from the call. */
import { sha256Hex } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { NetError, type Agent, type DocumentOf, type SendOptions } from '@netd/sdk';
import { AgentName, closed, ConversationId, Limit, MessageId, RequestId } from '../inputs.ts';
import { SignerError } from '../signer-error.ts';
import { defineTool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

type Facts = DocumentOf<'/v1/agent-messages'>['messages'][number];

const ROWS = 10;
const TEXT_LIMIT = 20_000;
const Text = Type.String({ minLength: 1, maxLength: 100_000 });
/** Seconds; a client waits for a tool no longer than a minute. */
const MAX_WAIT = 30;
const LOOK_MILLISECONDS = 500;

export const readMessagesTool = defineTool({
  name: 'agent_read_messages',
  title: 'Read messages',
  description:
    'Messages to you that wait, or with conversationId all of it, opened. Then agent_answer_message, which also takes them off the list.',
  input: Type.Object({ conversationId: Type.Optional(ConversationId), limit: Limit }, closed),
  output: { messages: 'array', more: 'boolean' },
  effect: 'reads',
  run: async ({ agent, args }) => {
    const { agentId, client } = agent;
    const { conversationId, limit = ROWS } = args;
    const query =
      conversationId === undefined
        ? ({ agentId, status: 'PENDING', expired: 'false', limit: 100 } as const)
        : ({ agentId, conversationId, limit: 100 } as const);
    const found: Facts[] = [];
    for await (const facts of client.items('/v1/agent-messages', query)) {
      if (facts.toAgentId === agentId) found.push(facts);
      if (found.length > limit) break;
    }
    const messages = await Promise.all(found.slice(0, limit).map((facts) => opened(agent, facts)));
    return { messages, more: found.length > limit };
  },
});

async function opened(agent: Agent, facts: Facts): Promise<object> {
  const { messageId, conversationId, fromAgentId, kind, replyTo = null, status } = facts;
  const about = { messageId, conversationId, fromAgentId, kind, replyTo, status };
  try {
    const { text } = await agent.openMessage(facts);
    const whole = text.length <= TEXT_LIMIT;
    const content = { text: text.slice(0, TEXT_LIMIT), ...(whole ? {} : { cut: text.length }) };
    return { ...about, says: untrusted(fromAgentId, content) };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === undefined || error instanceof NetError) throw error;
    return { ...about, says: null, unreadable: { code, message } };
  }
}

export const sendMessageTool = defineTool({
  name: 'agent_send_message',
  title: 'Send a message',
  description:
    'Seals a text to another agent and sends it; `waitSeconds` waits for the answer. Without one, look with agent_read_messages later.',
  input: Type.Object(
    {
      to: AgentName,
      text: Text,
      requestId: RequestId,
      conversationId: Type.Optional(ConversationId),
      wantsAnswer: Type.Optional(Type.Boolean({ description: 'Default true.' })),
      waitSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_WAIT })),
    },
    closed,
  ),
  output: { messageId: 'string', conversationId: 'string', answer: 'any' },
  effect: 'acts',
  run: async ({ agent, signer, args }) => {
    const { to, text, requestId, wantsAnswer = true, waitSeconds = 0 } = args;
    const { agentId } = agent;
    const name = [agentId, signer.session.sessionId, requestId, to, text].join('\0');
    const hash = sha256Hex(name).slice(0, 40);
    const { conversationId = `c-${hash}` } = args;
    const messageId = `m-${hash}`;
    const kind = wantsAnswer ? 'REQUEST' : 'EVENT';
    await sendOnce(agent, to, text, { messageId, conversationId, kind });
    const answer =
      waitSeconds > 0 ? await awaitAnswer(agent, conversationId, messageId, waitSeconds) : null;
    return { messageId, conversationId, answer };
  },
});

/** Of this id there is one message, whoever asked for it again. */
async function sendOnce(
  agent: Agent,
  to: string,
  text: string,
  options: SendOptions,
): Promise<void> {
  try {
    await agent.send(to, text, options);
  } catch (error) {
    if (!(error instanceof NetError) || error.code !== 'MESSAGE_ID_USED') throw error;
  }
}

/** @returns null where none came in time */
async function awaitAnswer(
  agent: Agent,
  conversationId: string,
  question: string,
  seconds: number,
): Promise<object | null> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const { messages } = await agent.client.read('/v1/agent-messages', { conversationId });
    const facts = messages.find(
      ({ replyTo, toAgentId }) => replyTo === question && toAgentId === agent.agentId,
    );
    if (facts) {
      const answer = await opened(agent, facts);
      if (facts.status === 'PENDING') await agent.acknowledge(facts);
      return answer;
    }
    if (Date.now() >= deadline) return null;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
}

export const answerMessageTool = defineTool({
  name: 'agent_answer_message',
  title: 'Answer a message',
  description:
    'Sends a sealed answer, if there is a text, and takes the message off the list of those that wait.',
  input: Type.Object({ messageId: MessageId, text: Type.Optional(Text) }, closed),
  output: { messageId: 'string', conversationId: 'string', answerId: 'any' },
  effect: 'acts',
  run: async ({ agent, args: { messageId, text } }) => {
    const facts = await factsOf(agent, messageId);
    const { conversationId, fromAgentId, status } = facts;
    // As the SDK names its answers: two programs of one agent answer once.
    const answerId = `re-${sha256Hex(`${agent.agentId} ${messageId}`).slice(0, 40)}`;
    if (text !== undefined) {
      const options = { messageId: answerId, conversationId, replyTo: messageId } as const;
      await sendOnce(agent, fromAgentId, text, { ...options, kind: 'RESPONSE' });
    }
    if (status === 'PENDING') await agent.acknowledge(facts);
    return { messageId, conversationId, answerId: text === undefined ? null : answerId };
  },
});

/** @throws SignerError MESSAGE_UNKNOWN */
async function factsOf({ client, agentId }: Agent, messageId: string): Promise<Facts> {
  for await (const facts of client.items('/v1/agent-messages', { agentId, limit: 100 })) {
    if (facts.messageId === messageId && facts.toAgentId === agentId) return facts;
  }
  throw new SignerError('MESSAGE_UNKNOWN', messageId);
}
