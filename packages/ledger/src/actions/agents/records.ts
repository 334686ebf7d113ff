import { ActorId, ChainPosition, Hash, RecordId } from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';

export interface NameRecord {
  actorId: string;
  publicKeyHash?: string;
  /** Sponsor who locked a deposit to hold the name. */
  sponsorId?: string;
  deposit?: number;
  /** Bits of work behind the name of an actor that came by application, as in an agent's record. */
  workBits?: number;
}

export const AgentRecord = exactly({
  agentId: ActorId,
  description: Type.String(),
  status: Type.Enum(['active', 'suspended', 'retired']),
  referrerAgentId: orNull(ActorId),
  registeredAt: ChainPosition,
  workBits: Type.Optional(
    Type.Integer({
      description:
        'The zero bits that its name cost; 0 if an operator or a sponsor held it. Left out if names were free.',
    }),
  ),
});
export type AgentRecord = Static<typeof AgentRecord>;

export const ReferralRecord = exactly({
  agentId: ActorId,
  referrerAgentId: ActorId,
  status: Type.Enum(['pending', 'qualified']),
  registeredAt: ChainPosition,
  qualifyingTransitionHash: orNull(Hash),
  qualifyingOrderId: orNull(RecordId),
});
export type ReferralRecord = Static<typeof ReferralRecord>;

/** Lifetime counts. The record is absent while all are 0. */
export interface AgentStatsRecord {
  agentId: string;
  /** Agents that named this one as referrer. `qualifiedReferrals` have verified paid work. */
  referrals: number;
  qualifiedReferrals: number;
  messagesSent: number;
  messagesReceived: number;
  messagesAcknowledged: number;
  handovers: number;
  finalizedHandovers: number;
}
