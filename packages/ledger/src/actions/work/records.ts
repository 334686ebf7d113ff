/** What the state holds of work: orders, stats, receipts, the verifiers that are drawn. */
import type { ChainPosition, JsonObject, ProtectiveDelay } from '@netd/protocol';
import type { Deadline } from '../../deadline.ts';
import type { WORK_VOTES, WorkValidationPolicy } from './validation-policy.ts';

export type WorkOrderStatus = 'OPEN' | 'ACCEPTED' | 'VERIFYING' | 'PAID' | 'REJECTED';
type AssignmentMode = 'OPEN_MARKET' | 'TARGETED';

/** The phase of an order within its status, which says what its deadline ends. */
export type WorkPhase =
  'OPEN' | 'ACCEPTED' | 'DRAWING' | 'REVIEW' | 'VERIFIED' | 'DISPUTED' | 'ENDED';

export type WorkRejection =
  | 'CANCELLED'
  | 'ACCEPTANCE_TIMEOUT'
  | 'DELIVERY_TIMEOUT'
  /** Given back by the worker that the order names, or by as many workers as may give it back. */
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
  /** The hash of what the verifier's own run gave; asked for where the order is sampled. */
  reExecutionHash: string | null;
  /** The session that signed, if not the verifier's own key: kept, because it may have ended when evidence comes. */
  session: { sessionId: string; publicKey: string } | null;
  votedAt: ChainPosition;
}

export interface WorkOrderRecord {
  orderId: string;
  requesterId: string;
  assignmentMode: AssignmentMode;
  /** The agent a TARGETED order names. */
  agentId: string | null;
  /** The worker that has accepted it. */
  workerId: string | null;
  title: string;
  /** Commitment to the private scope. */
  scopeHash: string;
  jobType: string;
  /** Capabilities that fit, to match with beacons; nothing is enforced by them. */
  requirements: string[];
  /** The payment in unet, in escrow until the order ends. */
  funding: number;
  verificationFee: number;
  /** Unet that acceptance locks, delivery returns, and a missed delivery pays to the requester; 0 where none is asked. */
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
  /** Workers that have accepted it and given it back, and may not take it again. */
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
  /** When a verified order can be disputed no more. */
  disputableUntil: Deadline | null;
  dispute: { openedBy: string; reasonHash: string; bond: number; openedAt: ChainPosition } | null;
  /** When the phase ends by itself; null after the end. */
  deadline: Deadline | null;
  endedAt: ChainPosition | null;
}

/** The orders and earnings of an actor, from which limits and weights are read. */
export interface WorkStatsRecord {
  actorId: string;
  /** Orders of its own that have not ended. */
  openOrders: number;
  /** Orders it has accepted that have not ended. */
  unfinishedOrders: number;
  /** Orders of at least minimumFunding it was paid for. */
  verifiedOrders: number;
  /** Unet that it earned by these, ever. */
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
