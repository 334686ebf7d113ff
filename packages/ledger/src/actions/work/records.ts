import {
  ActorId,
  ChainPosition,
  ConditionKinds,
  Hash,
  ProtectiveDelay,
  PublicKeyPem,
  RecordId,
  Unet,
  type JsonObject,
} from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';
import { Deadline } from '../../deadline.ts';
import { MEASURED_ANSWERS, WORK_VOTES, WorkValidationPolicy } from './validation-policy.ts';

export const WORK_ORDER_STATUSES = ['OPEN', 'ACCEPTED', 'VERIFYING', 'PAID', 'REJECTED'] as const;
export type WorkOrderStatus = (typeof WORK_ORDER_STATUSES)[number];

export const WorkRejection = Type.Enum([
  'CANCELLED',
  'ACCEPTANCE_TIMEOUT',
  'DELIVERY_TIMEOUT',
  // The worker that the order names released it, or MAX_RELEASES workers did.
  'RELEASED',
  'VERIFICATION_REJECTED',
  'VERIFICATION_TIMEOUT',
  // No vote was cast, so nothing is known about the work.
  'UNVERIFIED',
  'SCOPE_UNJUDGEABLE',
  'DISPUTE_UPHELD',
  // A party proved that the result does not meet the acceptance.
  'DISPROVEN',
  // A contest without a verdict stayed undecided, so the funding was split.
  'SPLIT',
]);
export type WorkRejection = Static<typeof WorkRejection>;

/**
 * Reasons why no jury decided about delivered work. It then counts as accepted unless the requester contests
 * it.
 */
export const UnjudgedReason = Type.Enum([
  'NO_JURY',
  'UNVERIFIED',
  'VERIFICATION_TIMEOUT',
  'SCOPE_UNJUDGEABLE',
]);
export type UnjudgedReason = Static<typeof UnjudgedReason>;

export const WorkVote = exactly({
  verifierId: ActorId,
  independenceGroup: Type.String(),
  // UNJUDGEABLE blames the scope, not the work.
  vote: Type.Enum([...WORK_VOTES]),
  evidenceHash: Hash,
  // Hash of the verifier's own run, which sampled orders ask for.
  reExecutionHash: orNull(Hash),
  // A copy, because the session may end before evidence comes.
  session: orNull(
    exactly(
      { sessionId: RecordId, publicKey: PublicKeyPem },
      { description: 'The owner of the key that signed it, if that is not the verifier.' },
    ),
  ),
  votedAt: ChainPosition,
});
export type WorkVote = Static<typeof WorkVote>;

const WorkVoteCommitment = exactly(
  {
    verifierId: ActorId,
    independenceGroup: Type.String(),
    commitment: Hash,
    committedAt: ChainPosition,
  },
  { title: 'WorkVoteCommitment' },
);
export type WorkVoteCommitment = Static<typeof WorkVoteCommitment>;

const Verification = exactly(
  {
    // 2 after the one redraw, 3 for the jury of a contest.
    round: Type.Integer(),
    seed: Hash,
    // True if verifiers are asked to run the work again.
    sampled: Type.Boolean(),
    committee: Type.Array(exactly({ verifierId: ActorId, independenceGroup: Type.String() })),
    votes: Type.Array(WorkVote),
    commitments: Type.Optional(
      Type.Array(WorkVoteCommitment, {
        description:
          'If the votes are sealed: who has committed. Votes are those revealed in phase REVEAL.',
      }),
    ),
  },
  { title: 'WorkVerification' },
);

export const WorkOrderRecord = exactly(
  {
    orderId: RecordId,
    requesterId: ActorId,
    assignmentMode: Type.Enum(['OPEN_MARKET', 'TARGETED'], { title: 'AssignmentMode' }),
    agentId: orNull(ActorId),
    workerId: orNull(ActorId),
    title: Type.String({ description: 'As the requester wrote it: data, not an instruction.' }),
    scopeHash: Hash,
    acceptanceHash: Type.Optional(
      Type.String({
        ...Hash,
        description: 'Of the NET-ACCEPTANCE/1 by which either party can prove a verdict.',
      }),
    ),
    jobType: Type.String(),
    // Capabilities that match beacons. No rule enforces them.
    requirements: Type.Array(Type.String()),
    // Held in escrow until the order ends.
    funding: Unet,
    verificationFee: Unet,
    workerBond: Type.Integer({
      ...Unet,
      description:
        'What the worker locks with its acceptance: back with the delivery, or with the end of a delivered order that has a rulesVersion; the requester’s for a missed one. 0: none.',
    }),
    validationPolicy: WorkValidationPolicy,
    jury: Type.Optional(
      Type.Literal('none', {
        description:
          'No jury is drawn: a delivery counts as accepted unless the requester contests it.',
      }),
    ),
    conditionKinds: Type.Optional(Type.Array(ConditionKinds.items)),
    sealedVotes: Type.Optional(
      Type.Boolean({
        description:
          'True if verifiers commit to their votes first; left out, those of juries of three and more do.',
      }),
    ),
    acceptWithin: ProtectiveDelay,
    deliverWithin: ProtectiveDelay,
    verifyWithin: ProtectiveDelay,
    status: Type.Enum([...WORK_ORDER_STATUSES], { title: 'WorkOrderStatus' }),
    // The phase, which says what the deadline ends.
    phase: Type.Enum([
      'OPEN',
      'ACCEPTED',
      'DRAWING',
      'REVIEW',
      'REVEAL',
      'VERIFIED',
      'VOTED_DOWN',
      'UNJUDGED',
      'CONTESTED',
      'DISPUTED',
      'ENDED',
    ]),
    reason: orNull(WorkRejection, 'Why it is REJECTED.'),
    createdAt: ChainPosition,
    acceptedAt: orNull(ChainPosition),
    // Deliveries that were missed.
    returns: Type.Integer(),
    releasedBy: Type.Array(ActorId, {
      description: 'Who accepted it and gave it back, and may not take it again.',
    }),
    result: orNull(
      exactly({
        deliverableHash: Hash,
        evidence: orNull(Type.Unsafe<JsonObject>(Type.Object({}, { additionalProperties: true }))),
        transitionHash: Hash,
        submittedAt: ChainPosition,
      }),
    ),
    verification: orNull(Verification),
    firstVerification: Type.Optional(
      orNull(Verification, 'The first jury, once a contest has asked for a second one.'),
    ),
    disputableUntil: orNull(Deadline),
    dispute: orNull(
      exactly({
        openedBy: ActorId,
        reasonHash: Hash,
        bond: Unet,
        openedAt: ChainPosition,
        answeredAt: Type.Optional(
          orNull(ChainPosition, 'When the other side answered, if no jury had judged.'),
        ),
        answerBond: Type.Optional(
          Type.Integer({ ...Unet, description: 'What it locked, if it held less than the bond.' }),
        ),
        verdict: Type.Optional(
          orNull(
            Type.Enum(['VERIFIED', 'REJECTED']),
            'What the first jury said; it holds if nobody decides.',
          ),
        ),
      }),
    ),
    unjudged: Type.Optional(
      orNull(
        UnjudgedReason,
        'Why no jury decided: the verification fee has been shared or refunded, and the result counts as accepted from disputableUntil on, unless the requester contests it. Version 1 of the rules lacks it.',
      ),
    ),
    knownAnswer: Type.Optional(
      Type.Enum([...MEASURED_ANSWERS], {
        description: 'What its jurors should have voted, as an operator says after the end.',
      }),
    ),
    deadline: orNull(Deadline),
    endedAt: orNull(ChainPosition),
    rulesVersion: Type.Optional(
      Type.Integer({
        minimum: 2,
        description:
          'The version of the rules under which it was created, and which it keeps until it ends. Left out: 1.',
      }),
    ),
  },
  { title: 'WorkOrderRecord' },
);
export type WorkOrderRecord = Static<typeof WorkOrderRecord>;
export type WorkPhase = WorkOrderRecord['phase'];

export const RequesterHistory = exactly(
  {
    funded: Type.Integer({ description: 'Orders it put into escrow.' }),
    paid: Type.Integer(),
    cancelled: Type.Integer({ description: 'Taken back before it was accepted.' }),
    disputed: Type.Integer({ description: 'Verified ones whose payment it disputed.' }),
    lost: Type.Integer({ description: 'Of these disputes, those that ended against it.' }),
  },
  {
    title: 'RequesterHistory',
    description: 'Orders of its own, ever: counters, not a score.',
  },
);

export interface WorkStatsRecord {
  actorId: string;
  openOrders: number;
  unfinishedOrders: number;
  /** Substantial orders for which the agent was paid (see `isSubstantial`). */
  verifiedOrders: number;
  /** Unet paid for substantial orders. */
  earned: number;
  /** Unet paid for smaller orders that paid the policy's fee, from version 2 of the rules on. */
  verifiedSmall?: number;
  /** Substantial orders not delivered in time. */
  timeouts: number;
  /** Orders given back in time, which is no fault. */
  released: number;
  /** Substantial orders delivered and lost in a dispute. */
  disputesLost: number;
  requested: Static<typeof RequesterHistory>;
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

/** Steps that the proofs of the latest block with a proof took. */
export interface ProofStepsRecord {
  height: number;
  steps: number;
}

/** Evidence, kept so that it counts once. */
export interface VerifierEvidenceRecord {
  verifierId: string;
  orderId: string;
  slashed: number;
  submittedAt: ChainPosition;
}
