import type { Deadline } from '../../deadline.ts';

/** Permanent; by the key's 32 raw bytes in hex. */
export interface KeyRecord {
  actorId: string;
}

export interface Guardians {
  agentIds: string[];
  threshold: number;
}

export interface RecoveryRecord {
  agentId: string;
  guardians: Guardians;
  nextGuardians: (Guardians & { effectiveAt: Deadline }) | null;
  request: {
    requestId: string;
    newPublicKey: string;
    /** The guardians in force at the request. Later changes don't stop it. */
    guardians: Guardians;
    approvals: string[];
    /** Null once it has enough approvals. */
    expiresAt: Deadline | null;
    /** Null until enough guardians approve. */
    executableAt: Deadline | null;
  } | null;
  /** Since the last recovery. */
  cancellations: number;
}
