/** What the state holds of messages. */
import type { ChainPosition } from '@netd/protocol';
import type { AgentMessage } from './agent-message.ts';

type MessageStatus = 'PENDING' | 'DELIVERED' | 'REJECTED';

export interface MessageRecord {
  /** The message commitment as it was signed. */
  message: AgentMessage;
  /** PENDING also after it has expired unanswered. */
  status: MessageStatus;
  sentAt: ChainPosition;
  transitionHash: string;
  acknowledgement: { receiptHash: string; at: ChainPosition } | null;
  /** When it was acknowledged, or its last height where it expired; null while it counts as live. */
  endedAtHeight: number | null;
}

/** Counts of what one sender has said in one conversation; they stay when the messages have left state. */
export interface ConversationRecord {
  conversationId: string;
  fromAgentId: string;
  lastSequence: number;
  /** hash({previous, message}), message = hash of the message as signed, previous = the digest before it or null. */
  digest: string;
}
