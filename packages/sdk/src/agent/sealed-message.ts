/** One message between agents: how it is written down, sealed, found and opened. */
import {
  FormatError,
  openContent,
  recipientsOf,
  sealContent,
  type MessageContext,
} from '@netd/formats';
import { hashValue } from '@netd/protocol';
import { AgentError } from './agent-error.ts';
import { Message, type MessageFacts } from './message.ts';
import { originOfUri } from './origins.ts';
import { requireKeyring, type AgentParts } from './parts.ts';

/**
 * @throws AgentError BLOB_NOT_FOUND where no store has the content, BLOB_UNAVAILABLE where a store that may have it does not give it now,
 *   ENCRYPTION_KEY_OUTDATED where it is sealed to a newer key
 *   than is here; FormatError where it is not sealed to this agent for
 *   this very message
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
    // A store that is busy, or does not answer, has not said that it is gone.
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
    // A session or a copy of the keys from before a rotation: who has the newer key will open it.
    const newest = (await peers.metadataOf(parts.agentId))?.encryptionKey.kid;
    if (newest === undefined || !recipientsOf(bytes).includes(newest)) throw error;
    throw new AgentError('ENCRYPTION_KEY_OUTDATED', newest, { cause: error });
  }
}

/**
 * Seals to the key that the recipient publishes now.
 * @returns null where it has published none
 * @throws AgentError BLOB_UNAVAILABLE where a store that may have it does not give it now
 */
export async function sealMessage(
  { peers, chainId }: Pick<AgentParts, 'peers' | 'chainId'>,
  facts: Omit<MessageContext, 'chainId'>,
  content: Uint8Array,
): Promise<Uint8Array | null> {
  const metadata = await peers.metadataOf(facts.toAgentId);
  if (!metadata) return null;
  return (await sealContent(content, [metadata.encryptionKey], contextOf(chainId, facts))).bytes;
}

/** The facts of the chain that the content is bound to. */
function contextOf(chainId: string, facts: Omit<MessageContext, 'chainId'>): MessageContext {
  const { fromAgentId, toAgentId, conversationId, messageId, sequence } = facts;
  return { chainId, fromAgentId, toAgentId, conversationId, messageId, sequence };
}

/** The next sequence of a sender in a conversation, from the state itself: messages leave it, the count stays. */
export async function nextSequence(
  { retryingClient }: Pick<AgentParts, 'retryingClient'>,
  conversationId: string,
  fromAgentId: string,
): Promise<number> {
  const key = `conversation/${hashValue({ conversationId, fromAgentId })}`;
  const record = (await retryingClient.state(key)) as { lastSequence: number } | null;
  return (record?.lastSequence ?? 0) + 1;
}

/** What an acknowledgement commits to; `code` says why a message was rejected. */
export function receiptHash(
  { messageId, contentHash }: Pick<MessageFacts, 'messageId' | 'contentHash'>,
  code: string | null,
): string {
  const status = code === null ? 'DELIVERED' : 'REJECTED';
  return hashValue({ schema: 'NET-MESSAGE-RECEIPT/1', messageId, contentHash, status, code });
}
