import type { ChainPosition, JsonObject, ProtectiveDelay } from '@netd/protocol';
import type { Deadline } from '../../deadline.ts';
import type { WORK_VOTES, WorkValidationPolicy } from './validation-policy.ts';

export type WorkOrderStatus = 'OPEN' | 'ACCEPTED' | 'VERIFYING' | 'PAID' | 'REJECTED';
type AssignmentMode = 'OPEN_MARKET' | 'TARGETED';

/** The phase within the status, which defines what the deadline ends. */
export type WorkPhase =
  'OPEN' | 'ACCEPTED' | 'DRAWING' | 'REVIEW' | 'VERIFIED' | 'DISPUTED' | 'ENDED';

export type WorkRejection =
  | 'CANCELLED'
  | 'ACCEPTANCE_TIMEOUT'
  | 'DELIVERY_TIMEOUT'
  /** Released by the worker that the order names, or by MAX_RELEASES workers. */
  | 'RELEASED'
  | 'VERIFICATION_REJECTED'
  | 'VERIFICATION_TIMEOUT'
  /** No vote was cast, so nothing is known about the work. */
  | 'UNVERIFIED'
  | 'SCOPE_UNJUDGEABLE'
  | 'DISPUTE_UPHELD';

export interface WorkVote {
  verifierId: string;
  independenceGroup: string;
  /** UNJUDGEABLE blames the scope, not the work. */
  vote: (typeof WORK_VOTES)[number];
  evidenceHash: string;
  /** The hash of the verifier's own run, which sampled orders ask for. */
  reExecutionHash: string | null;
  /** The session that signed, if any. Copied, because the session may end before evidence comes. */
  session: { sessionId: string; publicKey: string } | null;
  votedAt: ChainPosition;
}

export interface WorkOrderRecord {
  orderId: string;
  requesterId: string;
  assignmentMode: AssignmentMode;
  /** The agent that a TARGETED order names. */
  agentId: string | null;
  workerId: string | null;
  title: string;
  /** Commitment to the private scope. */
  scopeHash: string;
  jobType: string;
  /** Capabilities to match with beacons; not enforced. */
  requirements: string[];
  /** Unet held in escrow until the order ends. */
  funding: number;
  verificationFee: number;
  /**
   * Unet locked at acceptance, returned at delivery, and paid to the requester if delivery is missed; 0 for
   * none.
   */
  workerBond: number;
  validationPolicy: WorkValidationPolicy;
  acceptWithin: ProtectiveDelay;
  deliverWithin: ProtectiveDelay;
  verifyWithin: ProtectiveDelay;
  status: WorkOrderStatus;
  phase: WorkPhase;
  /** Set if the status is REJECTED. */
  reason: WorkRejection | null;
  createdAt: ChainPosition;
  acceptedAt: ChainPosition | null;
  /** How often a missed delivery returned it to the market. */
  returns: number;
  /** Workers that released it and may not accept it again. */
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
    /** True if verifiers are asked to run the work again. */
    sampled: boolean;
    committee: { verifierId: string; independenceGroup: string }[];
    votes: WorkVote[];
  } | null;
  /** The end of the dispute window. */
  disputableUntil: Deadline | null;
  dispute: { openedBy: string; reasonHash: string; bond: number; openedAt: ChainPosition } | null;
  /** When the phase times out; null after the end. */
  deadline: Deadline | null;
  endedAt: ChainPosition | null;
}

/** Orders and earnings of an actor, for limits and weights. */
export interface WorkStatsRecord {
  actorId: string;
  /** Its own orders that have not ended. */
  openOrders: number;
  /** Accepted orders that have not ended. */
  unfinishedOrders: number;
  /** Substantial orders (see `isSubstantial`) that it was paid for. */
  verifiedOrders: number;
  /** Unet ever earned by these. */
  earned: number;
  /** Substantial orders that it accepted and did not deliver in time. */
  timeouts: number;
  /** Orders that it released in time, which is no fault. */
  released: number;
  /** Substantial orders that it delivered and lost in a dispute. */
  disputesLost: number;
  requested: RequesterHistory;
}

/** Lifetime counts of its own orders. */
interface RequesterHistory {
  funded: number;
  paid: number;
  /** Cancelled before acceptance. */
  cancelled: number;
  /** Verified orders that it disputed. `lost` counts those that were paid nevertheless. */
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

/** Evidence that slashed a verifier, kept so that it counts once. */
export interface VerifierEvidenceRecord {
  verifierId: string;
  orderId: string;
  slashed: number;
  submittedAt: ChainPosition;
}
