/** What the state holds of work: orders, stats, receipts, the verifiers that are drawn. */
import type { ChainPosition, JsonObject, ProtectiveDelay } from '@netd/protocol';
import type { Deadline } from '../../deadline.ts';
import type { WORK_VOTES, WorkValidationPolicy } from './validation-policy.ts';

export type WorkOrderStatus = 'OPEN' | 'ACCEPTED' | 'VERIFYING' | 'PAID' | 'REJECTED';
type AssignmentMode = 'OPEN_MARKET' | 'TARGETED';

/** Where within its status an order is, and so what its deadline ends. */
export type WorkPhase =
  'OPEN' | 'ACCEPTED' | 'DRAWING' | 'REVIEW' | 'VERIFIED' | 'DISPUTED' | 'ENDED';

export type WorkRejection =
  | 'CANCELLED'
  | 'ACCEPTANCE_TIMEOUT'
  | 'DELIVERY_TIMEOUT'
  /** By the worker that it was for, or by as many as may. */
  | 'RELEASED'
  | 'VERIFICATION_REJECTED'
  | 'VERIFICATION_TIMEOUT'
  /** No vote was cast: nothing is known of the work. */
  | 'UNVERIFIED'
  | 'SCOPE_UNJUDGEABLE'
  | 'DISPUTE_UPHELD';

export interface WorkVote {
  verifierId: string;
  independenceGroup: string;
  /** UNJUDGEABLE blames the scope, not the work. */
  vote: (typeof WORK_VOTES)[number];
  evidenceHash: string;
  /** What the verifier's own run gave; asked for where the order is sampled. */
  reExecutionHash: string | null;
  /** Under whose key it stands, where that is not the verifier's own: kept, because the session may have ended when evidence comes. */
  session: { sessionId: string; publicKey: string } | null;
  votedAt: ChainPosition;
}

export interface WorkOrderRecord {
  orderId: string;
  requesterId: string;
  assignmentMode: AssignmentMode;
  /** The agent a TARGETED order names. */
  agentId: string | null;
  /** Who has accepted it. */
  workerId: string | null;
  title: string;
  /** Commitment to the private scope. */
  scopeHash: string;
  jobType: string;
  /** Capabilities that fit, to match with beacons; nothing is enforced by them. */
  requirements: string[];
  /** In unet, in escrow until the order ends. */
  funding: number;
  verificationFee: number;
  /** In unet: locked by acceptance, returned by delivery, paid to the requester for a missed one; 0 where none is asked. */
  workerBond: number;
  validationPolicy: WorkValidationPolicy;
  acceptWithin: ProtectiveDelay;
  deliverWithin: ProtectiveDelay;
  verifyWithin: ProtectiveDelay;
  status: WorkOrderStatus;
  phase: WorkPhase;
  /** Why it is REJECTED. */
  reason: WorkRejection | null;
  createdAt: ChainPosition;
  acceptedAt: ChainPosition | null;
  /** How often a missed delivery brought it back to the market. */
  returns: number;
  /** Who has accepted it and given it back, and may not take it again. */
  releasedBy: string[];
  result: {
    deliverableHash: string;
    evidence: JsonObject | null;
    transitionHash: string;
    submittedAt: ChainPosition;
  } | null;
  verification: {
    /** 2 after the one redraw. */
    round: number;
    seed: string;
    /** Whether verifiers are asked to run the work again. */
    sampled: boolean;
    committee: { verifierId: string; independenceGroup: string }[];
    votes: WorkVote[];
  } | null;
  /** Until when a verified order can be disputed. */
  disputableUntil: Deadline | null;
  dispute: { openedBy: string; reasonHash: string; bond: number; openedAt: ChainPosition } | null;
  /** When the phase ends by itself; null after the end. */
  deadline: Deadline | null;
  endedAt: ChainPosition | null;
}

/** What an actor has under way and has earned: limits and weights are read from here. */
export interface WorkStatsRecord {
  actorId: string;
  /** Orders of its own that have not ended. */
  openOrders: number;
  /** Orders it has accepted that have not ended. */
  unfinishedOrders: number;
  /** Orders of at least minimumFunding it was paid for. */
  verifiedOrders: number;
  /** In unet, by these, ever. */
  earned: number;
  /** Orders it accepted and did not deliver in time. */
  timeouts: number;
  /** Orders it accepted and gave back in time, which is no fault. */
  released: number;
  /** Disputes about work it delivered that ended against it. */
  disputesLost: number;
  requested: RequesterHistory;
}

/** Orders of its own, ever. */
interface RequesterHistory {
  funded: number;
  paid: number;
  /** Taken back before it was accepted. */
  cancelled: number;
  /** Verified ones that it disputed, and those of them that were paid all the same. */
  disputed: number;
  lost: number;
}

export interface WorkReceiptRecord {
  orderId: string;
  requesterId: string;
  workerId: string;
  deliverableHash: string;
  paid: number;
  shares: { verifierId: string; amount: number }[];
  settledAt: ChainPosition;
  transitionHash: string;
}

/** Evidence for which a verifier was slashed, so that it counts once. */
export interface VerifierEvidenceRecord {
  verifierId: string;
  orderId: string;
  slashed: number;
  submittedAt: ChainPosition;
}
