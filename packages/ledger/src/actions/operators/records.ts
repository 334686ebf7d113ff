import {
  ActorId,
  APPLICATION_ROLES,
  ChainPosition,
  Hash,
  Height,
  PublicKeyPem,
  RecordId,
  ScopedCapability,
} from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';
import type { ApplicationRole } from '../../capability.ts';
import type { Deadline } from '../../deadline.ts';

export interface ApplicationProfile {
  description?: string;
  bond?: number;
  selfBond?: number;
  consensusPublicKey?: string;
  consensusKeySignature?: string;
  faultDomain?: string;
  region?: string;
}

export const ApplicationRecord = exactly({
  applicationId: RecordId,
  actorId: ActorId,
  role: Type.Enum([...APPLICATION_ROLES]),
  publicKey: PublicKeyPem,
  publicKeyHash: Hash,
  capabilities: Type.Array(ScopedCapability),
  profile: Type.Unsafe<ApplicationProfile>(Type.Object({}, { additionalProperties: true })),
  expiresAtHeight: Height,
  status: Type.Enum(['PENDING', 'APPROVED', 'CLAIMED', 'REJECTED', 'EXPIRED'], {
    description: 'EXPIRED follows from the height: it was neither claimed nor rejected in time.',
  }),
  submittedAt: ChainPosition,
  invitationId: orNull(RecordId),
  reason: orNull(Type.String()),
  workBits: Type.Optional(Type.Integer({ description: 'As in an agent.' })),
});
export type ApplicationRecord = Static<typeof ApplicationRecord>;
export type ApplicationStatus = ApplicationRecord['status'];

export const InvitationRecord = exactly({
  invitationId: RecordId,
  applicationId: RecordId,
  actorId: ActorId,
  role: ApplicationRecord.properties.role,
  publicKeyHash: Hash,
  capabilities: Type.Array(ScopedCapability),
  independenceGroup: orNull(Type.String()),
  expiresAtHeight: Height,
  status: Type.Enum(['OPEN', 'CLAIMED', 'WITHDRAWN', 'EXPIRED']),
  approvedBy: orNull(ActorId, 'The operator who approved; null if the published bounds did.'),
  issuedAt: ChainPosition,
});
export type InvitationRecord = Static<typeof InvitationRecord>;

export interface ApplicationReservationRecord {
  applicationId: string;
}

export interface RevocationRecord {
  actorId: string;
  reason: string | null;
  revokedAt: ChainPosition;
  releaseAt: Deadline | null;
}

export interface ResignationRecord {
  actorId: string;
  role: ApplicationRole;
  resignedAt: ChainPosition;
  releaseAt: Deadline;
}

export interface PayoutRecord {
  actorId: string;
  payoutActorId: string;
}

export interface SuspensionRecord {
  actorId: string;
  registries: ('verifier' | 'validator-candidate' | 'runtime-provider' | 'auditor')[];
}

export interface VerifierRecord {
  actorId: string;
  /** In unet, held by net:bonds. */
  bond: number;
  independenceGroup: string;
  bondedAtHeight: number;
  active: boolean;
  votesAccepted: number;
  votesRejected: number;
  votesUnjudgeable: number;
  votesMissed: number;
  /** Orders with a known answer: voted for it, for and against nothing, against it. */
  measured?: { agreed: number; silent: number; wrong: number };
  /** Kinds that the verifier judges; default `DEFAULT_CONDITION_KINDS`. */
  conditionKinds?: string[];
  installedAt: ChainPosition;
}

export interface ValidatorCandidateRecord {
  actorId: string;
  selfBond: number;
  consensusPublicKey: string;
  faultDomain: string;
  /** Unet delegated to the candidate, held by net:stake. It belongs to the shares. */
  delegated: number;
  shares: number;
  delegators: number;
  /** Unet undelegated but not yet released, before slashing. */
  unbonding: number;
  /** Proven faults. After the first one the candidate gets no delegations and no rewards. */
  faults: number;
  nextRewardAt: Deadline | null;
  bondedAtHeight: number;
  active: boolean;
  installedAt: ChainPosition;
}

export interface RuntimeProviderRecord {
  actorId: string;
  bond: number;
  region: string;
  faultDomain: string;
  bondedAtHeight: number;
  active: boolean;
  installedAt: ChainPosition;
}

export interface AuditorRecord {
  actorId: string;
  independenceGroup: string;
  active: boolean;
  installedAt: ChainPosition;
}

/** Candidates without a fault, the longest bonded first; at most MAX_VALIDATOR_ROSTER. */
export interface ValidatorRosterRecord {
  validatorIds: string[];
}

export interface OperatorRosterRecord {
  operatorIds: string[];
}

/** Verifiers by actor id; at most MAX_ROSTER, which bounds the cost of drawing a committee. */
export interface VerifierRosterRecord {
  verifiers: {
    verifierId: string;
    independenceGroup: string;
    bondedAtHeight: number;
    conditionKinds?: string[];
  }[];
}
