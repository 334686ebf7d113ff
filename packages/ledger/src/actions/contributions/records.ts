/** What the state holds of contributions. */
import type { ChainPosition } from '@netd/protocol';
import type { Deadline } from '../../deadline.ts';

/** The stages of a contribution in their order, then the statuses that can end it. */
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
  /** The hash of the built artifact, or of the log where the build failed. */
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

/** A change offered to the protocol: commitments only, nothing here is ever fetched or executed. */
export interface ContributionRecord {
  contributionId: string;
  authorId: string;
  title: string;
  targetComponent: string;
  license: string;
  contentHash: string;
  manifestHash: string;
  sourceUri: string;
  /** The contribution of the same author that this one revises. */
  supersedes: string | null;
  supersededBy: string | null;
  status: ContributionStatus;
  /** Why CHANGES_REQUIRED. */
  reason: ChangesReason | null;
  /** Attestations, at most one from each independence group, MAX_ATTESTATIONS in all. */
  attestations: BuildAttestation[];
  /** Reviews, at most one from each independence group; the third decides. */
  reviews: SecurityReview[];
  /** Until when a further group can decide, where judges of the stage disagree; else null. */
  deadline: Deadline | null;
  /** The hash of the artifact on which two groups agree. */
  buildHash: string | null;
  releaseId: string | null;
  /** Work receipts attributed to it. */
  receipts: number;
  submittedAt: ChainPosition;
}

/** The paid work that went into a contribution, by the order's id: a receipt counts once. */
export interface ContributionReceiptRecord {
  orderId: string;
  contributionId: string;
  agentId: string;
  /** The payment of the order, in unet. */
  paid: number;
  attributedAt: ChainPosition;
}
