import { ActorId, ChainPosition, Hash, RecordId } from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';
import { Deadline } from '../../deadline.ts';
import { ScheduledVersion } from '../rules/records.ts';

export const CONTRIBUTION_STATUSES = [
  'BUILD_VERIFICATION',
  'SECURITY_REVIEW',
  'GOVERNANCE_READY',
  'RELEASE_CANDIDATE',
  'DEPLOYED',
  'CHANGES_REQUIRED',
] as const;

export const BuildAttestation = exactly({
  verifierId: ActorId,
  independenceGroup: Type.String(),
  result: Type.Enum(['PASS', 'FAIL']),
  // Hash of the built artifact, or of the log if the build failed.
  buildHash: Hash,
  environmentHash: Hash,
  attestedAt: ChainPosition,
});
export type BuildAttestation = Static<typeof BuildAttestation>;

export const SecurityReview = exactly({
  auditorId: ActorId,
  independenceGroup: Type.String(),
  verdict: Type.Enum(['PASS', 'FAIL']),
  reportHash: Hash,
  reviewedAt: ChainPosition,
});
export type SecurityReview = Static<typeof SecurityReview>;

/** A proposed protocol change: commitments only. Nodes never fetch or execute anything in it. */
export const ContributionRecord = exactly(
  {
    contributionId: RecordId,
    authorId: ActorId,
    title: Type.String(),
    targetComponent: Type.String(),
    license: Type.String(),
    contentHash: Hash,
    manifestHash: Hash,
    sourceUri: Type.String({ description: 'As the author states it; this node never fetches it.' }),
    supersedes: orNull(RecordId),
    supersededBy: orNull(RecordId),
    status: Type.Enum([...CONTRIBUTION_STATUSES]),
    reason: orNull(
      Type.Enum([
        'BUILD_FAILED',
        'BUILD_NOT_REPRODUCIBLE',
        'REVIEW_FAILED',
        'REVIEW_DISPUTED',
        'SUPERSEDED',
      ]),
    ),
    // At most one per group, and MAX_ATTESTATIONS in all.
    attestations: Type.Array(BuildAttestation),
    // At most one per group. The third decides.
    reviews: Type.Array(SecurityReview),
    deadline: orNull(Deadline),
    buildHash: orNull(Hash, 'Of the artifact on which two independent groups agree.'),
    releaseId: orNull(RecordId),
    receipts: Type.Integer({ description: 'Receipts for paid work that its author attributed.' }),
    rulesVersion: Type.Optional(
      Type.Integer({
        ...ScheduledVersion,
        description: 'The version of the rules that its release may schedule.',
      }),
    ),
    submittedAt: ChainPosition,
  },
  { title: 'ContributionRecord' },
);
export type ContributionRecord = Static<typeof ContributionRecord>;
export type ContributionStatus = ContributionRecord['status'];

/** Keyed by order id, so that a receipt counts once. */
export interface ContributionReceiptRecord {
  orderId: string;
  contributionId: string;
  agentId: string;
  /** In unet. */
  paid: number;
  attributedAt: ChainPosition;
}
