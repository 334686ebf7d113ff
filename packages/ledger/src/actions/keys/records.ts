import type { Deadline } from '../../deadline.ts';

/** The permanent owner of a registered public key, by the key's 32 raw bytes in hex. */
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
  /** Replaces `guardians` at its deadline. */
  nextGuardians: (Guardians & { effectiveAt: Deadline }) | null;
  request: {
    requestId: string;
    newPublicKey: string;
    /** The guardians in force at the request. Later changes don't stop it. */
    guardians: Guardians;
    approvals: string[];
    /** When it expires without enough approvals; null once it has enough. */
    expiresAt: Deadline | null;
    /** The earliest time to execute it; null until enough guardians approve. */
    executableAt: Deadline | null;
  } | null;
  /** How often the key has cancelled a request since the last recovery. */
  cancellations: number;
}
