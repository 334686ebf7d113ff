import type { ChainPosition } from '@netd/protocol';
import type { ApplicationRole, Capability } from '../../capability.ts';
import type { Deadline } from '../../deadline.ts';

/** The applicant's statements. The members depend on the role. */
export interface ApplicationProfile {
  description?: string;
  bond?: number;
  selfBond?: number;
  consensusPublicKey?: string;
  consensusKeySignature?: string;
  faultDomain?: string;
  region?: string;
}

export type ApplicationStatus = 'PENDING' | 'APPROVED' | 'CLAIMED' | 'REJECTED' | 'EXPIRED';

export interface ApplicationRecord {
  applicationId: string;
  actorId: string;
  role: ApplicationRole;
  publicKey: string;
  publicKeyHash: string;
  capabilities: Capability[];
  profile: ApplicationProfile;
  expiresAtHeight: number;
  status: ApplicationStatus;
  submittedAt: ChainPosition;
  invitationId: string | null;
  reason: string | null;
}

export interface InvitationRecord {
  invitationId: string;
  applicationId: string;
  actorId: string;
  role: ApplicationRole;
  publicKeyHash: string;
  capabilities: Capability[];
  independenceGroup: string | null;
  expiresAtHeight: number;
  status: 'OPEN' | 'CLAIMED' | 'WITHDRAWN' | 'EXPIRED';
  /** Null if the published bounds approved. */
  approvedBy: string | null;
  issuedAt: ChainPosition;
}

export interface ApplicationReservationRecord {
  applicationId: string;
}

export interface RevocationRecord {
  actorId: string;
  reason: string | null;
  revokedAt: ChainPosition;
  /** Null if nothing is bonded (any more). */
  releaseAt: Deadline | null;
}

/** Deleted when the bond is released. */
export interface ResignationRecord {
  actorId: string;
  role: ApplicationRole;
  resignedAt: ChainPosition;
  releaseAt: Deadline;
}

/** Receives the bonds if the actor is revoked; named in a claim. */
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
  installedAt: ChainPosition;
}

export interface ValidatorCandidateRecord {
  actorId: string;
  selfBond: number;
  consensusPublicKey: string;
  faultDomain: string;
  /** Unet delegated to it, held by net:stake. It belongs to the shares. */
  delegated: number;
  shares: number;
  delegators: number;
  /** Unet undelegated and not yet released, before slashing. */
  unbonding: number;
  /** After the first fault it gets no delegations and no rewards. */
  faults: number;
  /** Null before the first heartbeat. */
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

/** Without a fault, the longest bonded first; at most MAX_VALIDATOR_ROSTER. */
export interface ValidatorRosterRecord {
  validatorIds: string[];
}

export interface OperatorRosterRecord {
  operatorIds: string[];
}

/** By actor id; at most MAX_ROSTER, which bounds the cost of drawing a committee. */
export interface VerifierRosterRecord {
  verifiers: { verifierId: string; independenceGroup: string; bondedAtHeight: number }[];
}
