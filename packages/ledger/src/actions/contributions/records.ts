import type { ChainPosition } from '@netd/protocol';
import type { Deadline } from '../../deadline.ts';

/** The stages in order, then the final statuses. */
export const CONTRIBUTION_STATUSES = [
  'BUILD_VERIFICATION',
  'SECURITY_REVIEW',
  'GOVERNANCE_READY',
  'RELEASE_CANDIDATE',
  'DEPLOYED',
  'CHANGES_REQUIRED',
] as const;
export type ContributionStatus = (typeof CONTRIBUTION_STATUSES)[number];

type ChangesReason =
  'BUILD_FAILED' | 'BUILD_NOT_REPRODUCIBLE' | 'REVIEW_FAILED' | 'REVIEW_DISPUTED' | 'SUPERSEDED';

export interface BuildAttestation {
  verifierId: string;
  independenceGroup: string;
  result: 'PASS' | 'FAIL';
  /** The hash of the built artifact, or of the log if the build failed. */
  buildHash: string;
  environmentHash: string;
  attestedAt: ChainPosition;
}

export interface SecurityReview {
  auditorId: string;
  independenceGroup: string;
  verdict: 'PASS' | 'FAIL';
  reportHash: string;
  reviewedAt: ChainPosition;
}

/** A proposed protocol change: commitments only. Nodes never fetch or execute anything in it. */
export interface ContributionRecord {
  contributionId: string;
  authorId: string;
  title: string;
  targetComponent: string;
  license: string;
  contentHash: string;
  manifestHash: string;
  sourceUri: string;
  supersedes: string | null;
  supersededBy: string | null;
  status: ContributionStatus;
  reason: ChangesReason | null;
  /** At most one per group, and MAX_ATTESTATIONS in all. */
  attestations: BuildAttestation[];
  /** At most one per group. The third decides. */
  reviews: SecurityReview[];
  /** When a disagreement ends the stage; null without one. */
  deadline: Deadline | null;
  buildHash: string | null;
  releaseId: string | null;
  receipts: number;
  submittedAt: ChainPosition;
}

/** Keyed by order id, so that a receipt counts once. */
export interface ContributionReceiptRecord {
  orderId: string;
  contributionId: string;
  agentId: string;
  /** In unet. */
  paid: number;
  attributedAt: ChainPosition;
}
