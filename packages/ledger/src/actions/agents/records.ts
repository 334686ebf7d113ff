/** What the state holds of agents: their public records, referrals and counts. */
import type { ChainPosition } from '@netd/protocol';

/** The owner of a name, for good. */
export interface NameRecord {
  actorId: string;
  /** The hash of the key that the name is held for. */
  publicKeyHash?: string;
}

type AgentStatus = 'active' | 'suspended' | 'retired';

export interface AgentRecord {
  agentId: string;
  description: string;
  status: AgentStatus;
  referrerAgentId: string | null;
  registeredAt: ChainPosition;
}

export interface ReferralRecord {
  agentId: string;
  referrerAgentId: string;
  status: 'pending' | 'qualified';
  registeredAt: ChainPosition;
  /** The transition of the settled work that qualified it. */
  qualifyingTransitionHash: string | null;
  /** The order whose receipt that settlement wrote. */
  qualifyingOrderId: string | null;
}

/** Counts of one agent, ever; only agents with something to count have one. */
export interface AgentStatsRecord {
  agentId: string;
  /** Agents that named it as their referrer, and those of them that verified paid work has qualified. */
  referrals: number;
  qualifiedReferrals: number;
  messagesSent: number;
  messagesReceived: number;
  /** Received messages it has answered, with DELIVERED or REJECTED. */
  messagesAcknowledged: number;
  handovers: number;
  finalizedHandovers: number;
}
