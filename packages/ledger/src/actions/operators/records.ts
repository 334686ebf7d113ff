import type { ChainPosition } from '@netd/protocol';
import type { ApplicationRole, Capability } from '../../capability.ts';
import type { Deadline } from '../../deadline.ts';

/** The applicant's own statements; the members depend on the role. */
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
  /** Null until approved. */
  invitationId: string | null;
  /** Why it was rejected. */
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

/** The unfinished application that reserves an actor name or a key. */
export interface ApplicationReservationRecord {
  applicationId: string;
}

export interface RevocationRecord {
  actorId: string;
  reason: string | null;
  revokedAt: ChainPosition;
  /** When the bonds return to the account; null if nothing is bonded (any more). */
  releaseAt: Deadline | null;
}

/** A resigned role whose bond has not been released yet. */
export interface ResignationRecord {
  actorId: string;
  role: ApplicationRole;
  resignedAt: ChainPosition;
  releaseAt: Deadline;
}

/** The account that gets an actor's bonds if it is revoked. The actor named it in a claim. */
export interface PayoutRecord {
  actorId: string;
  payoutActorId: string;
}

/** The registries that a suspended agent returns to. */
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
  /** Shares of all delegators together. */
  shares: number;
  delegators: number;
  /** Unet undelegated and not yet released, before slashing. */
  unbonding: number;
  /** How often evidence slashed it. After the first time it gets no delegations and no rewards. */
  faults: number;
  /** When a heartbeat can earn the next reward; null before the first heartbeat. */
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

/** Active candidates without a fault, the longest bonded first; at most MAX_VALIDATOR_ROSTER. */
export interface ValidatorRosterRecord {
  validatorIds: string[];
}

/** In the order of genesis. */
export interface OperatorRosterRecord {
  operatorIds: string[];
}

/** Active verifiers by actor id; at most MAX_ROSTER, which bounds the cost of drawing a committee. */
export interface VerifierRosterRecord {
  verifiers: { verifierId: string; independenceGroup: string; bondedAtHeight: number }[];
}
