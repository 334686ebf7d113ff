import type { ChainPosition, JsonObject, ProtectiveDelay } from '@netd/protocol';
import type { Deadline } from '../../deadline.ts';
import type { WORK_VOTES, WorkValidationPolicy } from './validation-policy.ts';

export type WorkOrderStatus = 'OPEN' | 'ACCEPTED' | 'VERIFYING' | 'PAID' | 'REJECTED';
type AssignmentMode = 'OPEN_MARKET' | 'TARGETED';

/** Says what the deadline ends. */
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
  /** Of the verifier's own run, which sampled orders ask for. */
  reExecutionHash: string | null;
  /** Copied, because the session may end before evidence comes. */
  session: { sessionId: string; publicKey: string } | null;
  votedAt: ChainPosition;
}

export interface WorkOrderRecord {
  orderId: string;
  requesterId: string;
  assignmentMode: AssignmentMode;
  /** Null unless TARGETED. */
  agentId: string | null;
  workerId: string | null;
  title: string;
  scopeHash: string;
  jobType: string;
  /** Capabilities to match with beacons; not enforced. */
  requirements: string[];
  /** Unet in escrow until the order ends. */
  funding: number;
  verificationFee: number;
  /** Unet locked at acceptance and returned at delivery, or paid to the requester; 0 for none. */
  workerBond: number;
  validationPolicy: WorkValidationPolicy;
  acceptWithin: ProtectiveDelay;
  deliverWithin: ProtectiveDelay;
  verifyWithin: ProtectiveDelay;
  status: WorkOrderStatus;
  phase: WorkPhase;
  reason: WorkRejection | null;
  createdAt: ChainPosition;
  acceptedAt: ChainPosition | null;
  /** Missed deliveries. */
  returns: number;
  /** These may not accept it again. */
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
  disputableUntil: Deadline | null;
  dispute: { openedBy: string; reasonHash: string; bond: number; openedAt: ChainPosition } | null;
  /** Of the phase; null after the end. */
  deadline: Deadline | null;
  endedAt: ChainPosition | null;
}

export interface WorkStatsRecord {
  actorId: string;
  openOrders: number;
  unfinishedOrders: number;
  /** Substantial orders paid to it (see `isSubstantial`). */
  verifiedOrders: number;
  /** From these, in unet. */
  earned: number;
  /** Substantial orders not delivered in time. */
  timeouts: number;
  /** Released in time, which is no fault. */
  released: number;
  /** Substantial orders delivered and lost in a dispute. */
  disputesLost: number;
  requested: RequesterHistory;
}

/** Lifetime counts. */
interface RequesterHistory {
  funded: number;
  paid: number;
  /** Cancelled before acceptance. */
  cancelled: number;
  /** `lost` were paid nevertheless. */
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

/** Kept so that evidence counts once. */
export interface VerifierEvidenceRecord {
  verifierId: string;
  orderId: string;
  slashed: number;
  submittedAt: ChainPosition;
}
