import { ChainPosition, Hash } from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';
import { AgentMessage } from './agent-message.ts';

export const MessageRecord = exactly({
  message: AgentMessage,
  // Stays PENDING if the message expires unanswered.
  status: Type.Enum(['PENDING', 'DELIVERED', 'REJECTED']),
  sentAt: ChainPosition,
  transitionHash: Hash,
  acknowledgement: orNull(exactly({ receiptHash: Hash, at: ChainPosition })),
  // Height of the acknowledgement or expiry; null before.
  endedAtHeight: orNull(Type.Integer()),
});
export type MessageRecord = Static<typeof MessageRecord>;

export interface ConversationRecord {
  conversationId: string;
  fromAgentId: string;
  lastSequence: number;
  /** hash({previous, message}): the previous digest or null, and the message's hash. */
  digest: string;
}
