/** What the state holds of keys and their recovery. */
import type { Moment } from '../../chain-records.ts';

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
  /** Takes the place of `guardians` once the protective delay since `announced` has passed. */
  nextGuardians: (Guardians & { announced: Moment }) | null;
  request: {
    requestId: string;
    newPublicKey: string;
    /** The guardians in force when it was requested: changing them later does not stop it. */
    guardians: Guardians;
    approvals: string[];
    requested: Moment;
    /** When the threshold was reached; null before. */
    approved: Moment | null;
  } | null;
  /** How often the key has cancelled a request since the last recovery. */
  cancellations: number;
}
