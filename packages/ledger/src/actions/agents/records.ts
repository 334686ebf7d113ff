import type { ChainPosition } from '@netd/protocol';

/** The permanent owner of a name. */
export interface NameRecord {
  actorId: string;
  /** The key that an operator holds the name for. */
  publicKeyHash?: string;
}

type AgentStatus = 'active' | 'suspended' | 'retired';

export interface AgentRecord {
  agentId: string;
  description: string;
  status: AgentStatus;
  referrerAgentId: string | null;
  registeredAt: ChainPosition;
  /** The zero bits that its registration had to have; 0 if an operator held the name. Absent if names were free. */
  workBits?: number;
}

export interface ReferralRecord {
  agentId: string;
  referrerAgentId: string;
  status: 'pending' | 'qualified';
  registeredAt: ChainPosition;
  qualifyingTransitionHash: string | null;
  qualifyingOrderId: string | null;
}

/** Lifetime counts; absent until there is something to count. */
export interface AgentStatsRecord {
  agentId: string;
  /** Agents that named it as referrer. `qualifiedReferrals` have verified paid work. */
  referrals: number;
  qualifiedReferrals: number;
  messagesSent: number;
  messagesReceived: number;
  messagesAcknowledged: number;
  handovers: number;
  finalizedHandovers: number;
}
