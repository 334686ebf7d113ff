/** What the state holds of keys and their recovery. */
import type { Deadline } from '../../deadline.ts';

/** A public key that was ever registered, by its 32 raw bytes in hex. It stays for good. */
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
  /** Takes the place of `guardians` at its deadline. */
  nextGuardians: (Guardians & { effectiveAt: Deadline }) | null;
  request: {
    requestId: string;
    newPublicKey: string;
    /** The guardians in force when it was requested: changing them later does not stop it. */
    guardians: Guardians;
    approvals: string[];
    /** When the request expires unless enough guardians agree; null once they have. */
    expiresAt: Deadline | null;
    /** When it can be executed at the earliest; null while too few guardians agree. */
    executableAt: Deadline | null;
  } | null;
  /** How often the key has cancelled a request since the last recovery. */
  cancellations: number;
}
