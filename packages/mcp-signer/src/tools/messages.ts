/**
 * Tools for messages. Message ids derive from the call's arguments, so that repeated calls send nothing
 * twice.
 */
import { Type } from '@netd/protocol/type';
import { NetError, type Agent, type DocumentOf, type SendOptions } from '@netd/sdk';
import { answerIdFor, ownIdFor } from '@netd/sdk/internal';
import {
  AgentName,
  closed,
  ConversationId,
  Cursor,
  Limit,
  MessageId,
  RequestId,
  WaitSeconds,
} from '../inputs.ts';
import { cursorAt, offsetOf, PAGE_BYTES, rowBytes, textPage } from '../page.ts';
import { refusalOf } from '../refusal.ts';
import { SignerError } from '../signer-error.ts';
import { defineTool } from '../tool.ts';
import { lookUntil } from '../wait.ts';
import { untrusted } from '@netd/protocol/untrusted';
import { answersReach } from './around.ts';

type Facts = DocumentOf<'/v1/agent-messages'>['messages'][number];

const ROWS = 5;
const MAX_PAGES = 5;
const MOST_PAGES = 100;
const Text = Type.String({ minLength: 1, maxLength: 100_000 });

export const readMessagesTool = defineTool({
  name: 'agent_read_messages',
  title: 'Read messages',
  description:
    'Messages to you that wait, or with conversationId all of it, opened; long ones cut. With messageId all of one. Then agent_answer_message, which also takes them off the list.',
  input: Type.Object(
    {
      conversationId: Type.Optional(ConversationId),
      messageId: Type.Optional(MessageId),
      limit: Limit,
      cursor: Cursor,
      waitSeconds: WaitSeconds,
    },
    closed,
  ),
  output: { messages: 'array', message: 'object', nextCursor: 'any' },
  effect: 'reads',
  needs: ['acknowledgeAgentMessage'],
  run: async ({ agent, args }) => {
    const { messageId, cursor, waitSeconds } = args;
    if (messageId !== undefined) {
      const facts = await factsOf(agent, messageId);
      const { nextOffset, row } = await opened(agent, facts, { offset: offsetOf(cursor) });
      return { message: row, nextCursor: cursorAt(nextOffset) };
    }
    const { found, nextCursor } = await lookUntil(
      waitSeconds,
      () => receivedMessages(agent, args),
      (page) => page.found.length > 0,
    );
    const most = rowBytes(Math.max(ROWS, found.length));
    const rows = await Promise.all(found.map((facts) => opened(agent, facts, { most })));
    return { messages: rows.map(({ row }) => row), nextCursor };
  },
});

interface Asked {
  conversationId?: string;
  limit?: number;
  cursor?: string;
}

async function receivedMessages(
  { agentId, client }: Agent,
  { conversationId, limit = ROWS, cursor: first }: Asked,
): Promise<{ found: Facts[]; nextCursor: string | null }> {
  const query =
    conversationId === undefined
      ? ({ agentId, status: 'PENDING', expired: 'false', limit } as const)
      : ({ agentId, conversationId, limit } as const);
  let cursor = first;
  let nextCursor: string | null = null;
  const found: Facts[] = [];
  // The list also contains sent messages, so a page may hold no received ones.
  for (let page = 0; found.length === 0 && page < MAX_PAGES; page++) {
    const read = await client.read('/v1/agent-messages', { ...query, cursor });
    found.push(...read.messages.filter(({ toAgentId }) => toAgentId === agentId));
    ({ nextCursor } = read);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return { found, nextCursor };
}

/** Decrypts a message. Its text and ids come from the sender. */
async function opened(
  agent: Agent,
  facts: Facts,
  { offset = 0, most = PAGE_BYTES }: { offset?: number; most?: number } = {},
): Promise<{ row: object; nextOffset: number | null }> {
  const { messageId, conversationId, fromAgentId, kind, replyTo = null, status } = facts;
  const ids = { messageId, conversationId, replyTo };
  try {
    const whole = (await agent.openMessage(facts)).text;
    const { text, nextOffset } = textPage(whole, offset, most);
    const cut = nextOffset === null && offset === 0 ? {} : { ofCharacters: whole.length };
    return {
      row: { kind, status, says: untrusted(fromAgentId, { ...ids, text, ...cut }) },
      nextOffset,
    };
  } catch (error) {
    const unreadable = error instanceof NetError ? null : refusalOf(error);
    if (unreadable === null) throw error;
    return {
      row: { kind, status, says: untrusted(fromAgentId, ids), unreadable },
      nextOffset: null,
    };
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
      waitSeconds: WaitSeconds,
    },
    closed,
  ),
  output: {
    messageId: 'string',
    conversationId: 'string',
    answer: 'any',
    hint: 'string',
  },
  effect: 'acts',
  needs: ['sendAgentMessage'],
  run: async ({ agent, signer, args }) => {
    const { to, text, requestId, wantsAnswer = true, waitSeconds = 0 } = args;
    const { sessionId } = signer.session;
    const facts = { sessionId, requestId };
    const request = ownIdFor(agent, facts).slice(0, 24);
    // The id depends on the text, so that another process can find it on the chain. Without a secret, anyone could
    // compare it with guesses of the text.
    const content = { ...facts, to, conversationId: args.conversationId ?? null, text };
    const said = ownIdFor(agent, content).slice(0, 16);
    const messageId = `m-${request}-${said}`;
    await requireUnused(agent, `m-${request}-`, messageId);
    const { conversationId = `c-${request}-${said}` } = args;
    const kind = wantsAnswer ? 'REQUEST' : 'EVENT';
    await sendOnce(agent, to, text, { messageId, conversationId, kind });
    const reach = wantsAnswer ? await answersReach(agent, signer.session) : null;
    const answer =
      waitSeconds > 0 && reach?.canBeWrittenTo !== false
        ? await awaitAnswer(agent, conversationId, messageId, waitSeconds)
        : null;
    return {
      messageId,
      // The model knows a conversationId that it gave. Return only generated ones.
      ...(args.conversationId === undefined ? { conversationId } : {}),
      answer: answer?.row ?? null,
      ...(reach?.hint === undefined ? {} : { hint: reach.hint }),
    };
  },
});

const REQUEST_PAGES = 3;

/** @throws SignerError REQUEST_ID_USED if the chain has another message of this requestId */
async function requireUnused(agent: Agent, prefix: string, messageId: string): Promise<void> {
  const { client, agentId } = agent;
  let pages = 0;
  for await (const { messages } of client.pages('/v1/agent-messages', { agentId, limit: 100 })) {
    const found = messages.find(
      (one) => one.fromAgentId === agentId && one.messageId.startsWith(prefix),
    );
    if (found && found.messageId !== messageId) throw new SignerError('REQUEST_ID_USED');
    // A lying node could return pages without end.
    if (found || ++pages >= REQUEST_PAGES) return;
  }
}

async function sendOnce(
  agent: Agent,
  to: string,
  text: string,
  options: SendOptions,
): Promise<boolean> {
  try {
    await agent.send(to, text, options);
    return true;
  } catch (error) {
    if (!(error instanceof NetError) || error.code !== 'MESSAGE_ID_USED') throw error;
    return false;
  }
}

async function awaitAnswer(
  agent: Agent,
  conversationId: string,
  question: string,
  seconds: number,
): Promise<Awaited<ReturnType<typeof opened>> | null> {
  const facts = await lookUntil(
    seconds,
    async () => {
      const { messages } = await agent.client.read('/v1/agent-messages', { conversationId });
      return messages.find(
        ({ replyTo, toAgentId }) => replyTo === question && toAgentId === agent.agentId,
      );
    },
    (found) => found !== undefined,
  );
  if (!facts) return null;
  const answer = await opened(agent, facts);
  if (facts.status === 'PENDING') await agent.acknowledge(facts);
  return answer;
}

const ANSWERED_BEFORE =
  'An answer had been sent before this process began; it stays, and this text was not sent. If it is another one, send it with agent_send_message.';

export const answerMessageTool = defineTool({
  name: 'agent_answer_message',
  title: 'Answer a message',
  description:
    'Sends a sealed answer, if there is a text, and takes the message off the list of those that wait.',
  input: Type.Object({ messageId: MessageId, text: Type.Optional(Text) }, closed),
  output: { answerId: 'any', status: 'string', hint: 'string' },
  effect: 'acts',
  needs: ['acknowledgeAgentMessage'],
  run: async ({ agent, signer, args: { messageId, text } }) => {
    const facts = await factsOf(agent, messageId);
    const { conversationId, fromAgentId, status } = facts;
    // Derive the id as the SDK does, so that two programs of an agent answer once.
    const answerId = answerIdFor(agent, messageId);
    let isOld = false;
    if (text !== undefined) {
      const options = { messageId: answerId, conversationId, replyTo: messageId } as const;
      const before = signer.answered.get(answerId);
      if (before !== undefined && before !== text) throw new SignerError('MESSAGE_ANSWERED');
      const isNew = await sendOnce(agent, fromAgentId, text, { ...options, kind: 'RESPONSE' });
      // The chain has only a hash. Remember the text to recognize a different second answer.
      if (isNew) signer.answered.set(answerId, text);
      isOld = !isNew && before === undefined;
    }
    if (status === 'PENDING') await agent.acknowledge(facts);
    const hint = isOld ? { hint: ANSWERED_BEFORE } : {};
    return { answerId: text === undefined ? null : answerId, status: 'DELIVERED', ...hint };
  },
});

/** @throws SignerError MESSAGE_UNKNOWN if the agent did not receive the message */
async function factsOf({ client, agentId }: Agent, messageId: string): Promise<Facts> {
  let pages = 0;
  for await (const { messages } of client.pages('/v1/agent-messages', { agentId, limit: 100 })) {
    const found = messages.find((one) => one.messageId === messageId && one.toAgentId === agentId);
    if (found) return found;
    if (++pages >= MOST_PAGES) break;
  }
  throw new SignerError('MESSAGE_UNKNOWN');
}
