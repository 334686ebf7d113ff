import { FORMAT_ERROR_TABLE } from '@netd/formats';
import { bytesToHex } from '@netd/protocol';
import { NetError } from '../http.ts';
import { BOUNDS, type Bounds } from '../bounds.ts';
import type { OptionNames } from '../option-names.ts';
import { AgentError, codeOf } from './agent-error.ts';
import {
  contentBytes,
  type Message,
  type MessageContent,
  type MessageFacts,
  type MessageKind,
} from './message.ts';
import type { AgentParts } from './parts.ts';
import {
  acknowledge,
  messagePayload,
  nextSequence,
  openMessage,
  receiptHash,
  sealMessage,
} from './sealed-message.ts';

/** Options of `send` and `ask`. */
export interface SendOptions extends Bounds {
  /** Default EVENT, which asks for no answer. */
  kind?: MessageKind | undefined;
  /** Default: a new conversation. */
  conversationId?: string | undefined;
  /** The message that this answers. */
  replyTo?: string | undefined;
  /** Default random. A second message with the same id gets MESSAGE_ID_USED. */
  messageId?: string | undefined;
}

export const SEND_OPTIONS: OptionNames<SendOptions> = {
  kind: true,
  conversationId: true,
  replyTo: true,
  messageId: true,
  ...BOUNDS,
};

/** `deadline` in milliseconds since 1970. */
type Question = SendOptions & { deadline?: number };

/** A message that the chain has accepted. */
export interface SentMessage {
  /** Id of the message on the chain. */
  messageId: string;
  /** Conversation that the message belongs to. */
  conversationId: string;
  /** SHA-256 of the sealed content. */
  contentHash: string;
}

export const randomId = (prefix: string): string =>
  `${prefix}-${bytesToHex(crypto.getRandomValues(new Uint8Array(12)))}`;

/** Milliseconds to wait for a key. A new agent publishes it some seconds after joining. */
const KEY_PATIENCE = 20_000;
const LOOK_FOR_KEY = 500;

export async function sendMessage(
  parts: AgentParts,
  toAgentId: string,
  content: MessageContent,
  {
    kind = 'EVENT',
    conversationId = randomId('c'),
    replyTo,
    messageId = randomId('m'),
    timeout,
    deadline = Infinity,
  }: Question = {},
): Promise<SentMessage> {
  const { agentId, retryingClient, origins, outbox, events } = parts;
  const sequence = await nextSequence(parts, conversationId, agentId);
  const ids = { messageId, conversationId, fromAgentId: agentId, toAgentId, sequence };
  const bytes = contentBytes(content);
  const lookUntil = Date.now() + Math.min(timeout ?? KEY_PATIENCE, KEY_PATIENCE);
  let sealed = await sealNow(parts, ids, bytes);
  if (sealed === null && (await retryingClient.state(`agent/${toAgentId}`)) === null) {
    throw new AgentError('RECIPIENT_UNKNOWN', toAgentId);
  }
  if (!(sealed instanceof Uint8Array)) events.emit('waiting', { for: `the key of ${toAgentId}` });
  while (!(sealed instanceof Uint8Array)) {
    if (Date.now() + LOOK_FOR_KEY >= lookUntil) {
      throw sealed ?? new AgentError('RECIPIENT_HAS_NO_KEY', toAgentId);
    }
    await retryingClient.pause(LOOK_FOR_KEY);
    await origins.refresh();
    sealed = await sealNow(parts, ids, bytes);
  }
  const { hash: contentHash, places } = await origins.put(sealed);
  const payload = await messagePayload(parts, { ids, kind, replyTo }, contentHash, places[0]);
  if (Date.now() >= deadline) throw new AgentError('ANSWER_TIMEOUT', `${timeout} ms`);
  const id = `send/${messageId}`;
  await outbox.act(id, 'sendAgentMessage', payload);
  await outbox.forget(id);
  return { messageId, conversationId, contentHash };
}

async function sealNow(
  ...given: Parameters<typeof sealMessage>
): Promise<Uint8Array | AgentError | null> {
  return sealMessage(...given).catch((error: unknown) => {
    if (error instanceof AgentError && error.code === 'BLOB_UNAVAILABLE') return error;
    throw error;
  });
}

const LOOK = 5_000;

export async function awaitAnswer(
  parts: AgentParts,
  question: SentMessage & { toAgentId: string },
  timeout: number,
  deadline: number,
): Promise<Message> {
  const { retryingClient, poller } = parts;
  const { messageId: replyTo, conversationId, toAgentId } = question;
  for (;;) {
    poller.signal.throwIfAborted();
    const { wakes } = poller;
    const { messages } = await retryingClient.read('/v1/agent-messages', { conversationId });
    const answer = messages.find(
      (one) => one.kind === 'RESPONSE' && one.replyTo === replyTo && one.fromAgentId === toAgentId,
    );
    if (answer) {
      await retryingClient.proveMessage(answer);
      const message = await openMessage(parts, answer).catch((error: unknown) => {
        if (codeOf(error) === 'BLOB_UNAVAILABLE' && Date.now() < deadline) return null;
        throw error;
      });
      if (message !== null) {
        if (answer.status === 'PENDING') {
          await acknowledge(parts, answer, null).catch((error: unknown) => {
            if (!(error instanceof NetError)) throw error;
            parts.events.warn(error, answer.messageId);
          });
        }
        return message;
      }
    }
    const asked = messages.find(({ messageId }) => messageId === replyTo);
    if (asked?.status === 'REJECTED') throw rejection(asked);
    const left = deadline - Date.now();
    if (left <= 0) throw new AgentError('ANSWER_TIMEOUT', `${timeout} ms`);
    await poller.wait(Math.min(left, LOOK), wakes);
  }
}

/** Reasons that a rejection can have. Its receipt is only their hash, so each is tried. */
const REASONS = ['HANDLER_FAILED', 'BLOB_NOT_FOUND', ...Object.keys(FORMAT_ERROR_TABLE)];

function rejection(asked: MessageFacts): AgentError {
  const { messageId, acknowledgement } = asked;
  const code = REASONS.find((one) => receiptHash(asked, one) === acknowledgement?.receiptHash);
  if (code === 'SEALED_NOT_FOR_KEY') return new AgentError('RECIPIENT_KEY_CHANGED', messageId);
  return new AgentError('MESSAGE_REJECTED', code ? `${messageId}, ${code}` : messageId);
}
