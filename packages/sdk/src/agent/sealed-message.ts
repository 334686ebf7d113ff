import {
  FormatError,
  openContent,
  recipientsOf,
  sealContent,
  type EncryptionKey,
  type MessageContext,
} from '@netd/formats';
import { hashValue, type JsonObject } from '@netd/protocol';
import { AgentError, codeOf } from './agent-error.ts';
import { Message, type MessageFacts, type MessageKind } from './message.ts';
import { blobUri, originOfUri, type Place } from './origins.ts';
import { requireKeyring, type AgentParts } from './parts.ts';

/**
 * @throws AgentError BLOB_NOT_FOUND; BLOB_UNAVAILABLE if a store failed; ENCRYPTION_KEY_OUTDATED if the
 *   content is sealed to a newer key; FormatError if it is not sealed to this agent for this message
 */
export async function openMessage(
  parts: Pick<AgentParts, 'agentId' | 'origins' | 'peers' | 'encryption' | 'chainId'>,
  facts: MessageFacts,
): Promise<Message> {
  const { origins, peers } = parts;
  const keys = requireKeyring(parts);
  const { contentHash, envelopeUri, fromAgentId } = facts;
  const hint = originOfUri(envelopeUri, contentHash);
  const near = await origins.find(contentHash, [hint]);
  const found =
    typeof near === 'string'
      ? await origins.find(contentHash, await peers.originsOf(fromAgentId))
      : near;
  if (typeof found === 'string') {
    // A busy store has not said that it lacks the content.
    if (near !== 'absent' || found !== 'absent')
      throw new AgentError('BLOB_UNAVAILABLE', contentHash);
    throw new AgentError('BLOB_NOT_FOUND', contentHash);
  }
  const bytes = found;
  const context = contextOf(parts.chainId, facts);
  try {
    return new Message(facts, await openContent(bytes, keys, context, contentHash));
  } catch (error) {
    if (!(error instanceof FormatError) || error.code !== 'SEALED_NOT_FOR_KEY') throw error;
    // After a rotation, a session has only older keys.
    const newest = (await peers.metadataOf(parts.agentId))?.encryptionKey.kid;
    if (newest === undefined || !recipientsOf(bytes).includes(newest)) throw error;
    throw new AgentError('ENCRYPTION_KEY_OUTDATED', newest, { cause: error });
  }
}

/**
 * Seals a message to its recipient. Returns null if the recipient publishes no key.
 * @param readers further keys that open the message, such as the sender's own
 */
export async function sealMessage(
  { peers, chainId }: Pick<AgentParts, 'peers' | 'chainId'>,
  facts: Omit<MessageContext, 'chainId'>,
  content: Uint8Array,
  readers: readonly EncryptionKey[] = [],
): Promise<Uint8Array | null> {
  const metadata = await peers.metadataOf(facts.toAgentId);
  if (!metadata) return null;
  const { encryptionKey } = metadata;
  const others = readers.filter(({ kid }) => kid !== encryptionKey.kid);
  const context = contextOf(chainId, facts);
  return (await sealContent(content, [encryptionKey, ...others], context)).bytes;
}

function contextOf(chainId: string, facts: Omit<MessageContext, 'chainId'>): MessageContext {
  const { fromAgentId, toAgentId, conversationId, messageId, sequence } = facts;
  return { chainId, fromAgentId, toAgentId, conversationId, messageId, sequence };
}

/** Returns the next sequence from the count in the state, because messages are pruned. */
export async function nextSequence(
  { retryingClient }: Pick<AgentParts, 'retryingClient'>,
  conversationId: string,
  fromAgentId: string,
): Promise<number> {
  const key = `conversation/${hashValue({ conversationId, fromAgentId })}`;
  const record = (await retryingClient.state(key)) as { lastSequence: number } | null;
  return (record?.lastSequence ?? 0) + 1;
}

export function receiptHash(
  { messageId, contentHash }: Pick<MessageFacts, 'messageId' | 'contentHash'>,
  code: string | null,
): string {
  const status = code === null ? 'DELIVERED' : 'REJECTED';
  return hashValue({ schema: 'NET-MESSAGE-RECEIPT/1', messageId, contentHash, status, code });
}

const MESSAGE_LIFETIME = 2_000;

export async function messagePayload(
  { agentId, retryingClient }: AgentParts,
  { ids, kind, replyTo }: { ids: JsonObject; kind: MessageKind; replyTo: string | undefined },
  contentHash: string,
  place: Place | undefined,
): Promise<JsonObject> {
  return {
    schema: 'NET-AGENT-MESSAGE/1',
    ...ids,
    agentId,
    kind,
    contentEncoding: 'application/ael-encrypted+json',
    contentHash,
    ...(place ? { envelopeUri: blobUri(place.origin, contentHash) } : {}),
    ...(replyTo === undefined ? {} : { replyTo }),
    expiresAtHeight: (await retryingClient.height()) + MESSAGE_LIFETIME,
  };
}

/** Acknowledges a message once. */
export async function acknowledge(
  { agentId, outbox }: AgentParts,
  facts: Pick<MessageFacts, 'messageId' | 'contentHash'>,
  code: string | null,
): Promise<void> {
  const { messageId } = facts;
  const id = `ack/${messageId}`;
  const status = code === null ? 'DELIVERED' : 'REJECTED';
  const payload = { agentId, messageId, status, receiptHash: receiptHash(facts, code) };
  await outbox.act(id, 'acknowledgeAgentMessage', payload).catch((error: unknown) => {
    if (codeOf(error) !== 'MESSAGE_ALREADY_ACKNOWLEDGED') throw error;
  });
  await outbox.forget(id);
}
