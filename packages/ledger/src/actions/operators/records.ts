/** What the state holds of applications, invitations, and the registries of those who gave bonds. */
import type { ChainPosition } from '@netd/protocol';
import type { ApplicationRole, Capability } from '../../capability.ts';
import type { Deadline } from '../../deadline.ts';

/** What an applicant says of itself; which members stand depends on the role. */
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
  /** The one invitation that approval wrote; null before. */
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
  /** The operator who approved, null where the published bounds did. */
  approvedBy: string | null;
  issuedAt: ChainPosition;
}

/** The unfinished application that reserves an actor id or a key. */
export interface ApplicationReservationRecord {
  applicationId: string;
}

export interface RevocationRecord {
  actorId: string;
  reason: string | null;
  revokedAt: ChainPosition;
  /** When the bonds go back to the account: both must have passed. Null where nothing is (any longer) bonded. */
  releaseAt: Deadline | null;
}

/** A role given up whose bond is on its way back. */
export interface ResignationRecord {
  actorId: string;
  role: ApplicationRole;
  resignedAt: ChainPosition;
  releaseAt: Deadline;
}

/** The account that gets the bonds of an actor should it be revoked, as it named in a claim. */
export interface PayoutRecord {
  actorId: string;
  payoutActorId: string;
}

/** The registries that a suspended agent comes back to. */
export interface SuspensionRecord {
  actorId: string;
  registries: ('verifier' | 'validator-candidate' | 'runtime-provider' | 'auditor')[];
}

export interface VerifierRecord {
  actorId: string;
  /** The bond in unet, held by net:bonds. */
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
  /** Stake that is delegated to it, in unet, held by net:stake. It belongs to the shares. */
  delegated: number;
  /** Shares of all delegators together. */
  shares: number;
  delegators: number;
  /** Undelegated and not yet released, in unet before slashing. */
  unbonding: number;
  /** How often evidence slashed it; from the first on it takes no delegation and gets no reward. */
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

/** Active validator candidates, the longest bonded first; at most MAX_VALIDATOR_ROSTER. */
export interface ValidatorRosterRecord {
  validatorIds: string[];
}

/** The operators of genesis, in its order. */
export interface OperatorRosterRecord {
  operatorIds: string[];
}

/** Verifiers that committees are drawn from, by actor id; at most MAX_ROSTER, so that a drawing has a bounded cost. */
export interface VerifierRosterRecord {
  verifiers: { verifierId: string; independenceGroup: string; bondedAtHeight: number }[];
}
