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
  /** The height of the acknowledgement, or its last height if it expired; null while it counts as live. */
  endedAtHeight: number | null;
}

/** Counts of one sender in one conversation. They outlive the messages. */
export interface ConversationRecord {
  conversationId: string;
  fromAgentId: string;
  lastSequence: number;
  /** hash({previous, message}): the previous digest or null, and the hash of the message as signed. */
  digest: string;
}
