/** What the state holds of contributions. */
import type { ChainPosition } from '@netd/protocol';
import type { Deadline } from '../../deadline.ts';

/** In the order of the way, and what can end it. */
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
  /** Of the built artifact; where the build failed, of its log. */
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
  /** At most one from each independence group, MAX_ATTESTATIONS in all. */
  attestations: BuildAttestation[];
  /** At most one from each independence group; the third decides. */
  reviews: SecurityReview[];
  /** Where judges of the stage disagree: until when a further group can decide. */
  deadline: Deadline | null;
  /** Of the artifact on which two groups agree. */
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
  /** In unet. */
  paid: number;
  attributedAt: ChainPosition;
}
