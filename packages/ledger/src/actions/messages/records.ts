import type { ChainPosition } from '@netd/protocol';
import type { AgentMessage } from './agent-message.ts';

type MessageStatus = 'PENDING' | 'DELIVERED' | 'REJECTED';

export interface MessageRecord {
  /** As it was signed. */
  message: AgentMessage;
  /** Stays PENDING if the message expires unanswered. */
  status: MessageStatus;
  sentAt: ChainPosition;
  transitionHash: string;
  acknowledgement: { receiptHash: string; at: ChainPosition } | null;
  /** When it was acknowledged or expired; null while live. */
  endedAtHeight: number | null;
}

/** Outlives the messages. */
export interface ConversationRecord {
  conversationId: string;
  fromAgentId: string;
  lastSequence: number;
  /** hash({previous, message}): the previous digest or null, and the message hash. */
  digest: string;
}
