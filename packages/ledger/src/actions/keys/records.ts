import { ActorId, Hash, PublicKeyPem } from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';
import { Deadline } from '../../deadline.ts';

/** Permanent; by the key's 32 raw bytes in hex. */
export interface KeyRecord {
  actorId: string;
}

export const Guardians = exactly({ agentIds: Type.Array(ActorId), threshold: Type.Integer() });
export type Guardians = Static<typeof Guardians>;

export const RecoveryRecord = exactly({
  agentId: ActorId,
  guardians: Guardians,
  nextGuardians: orNull(exactly({ ...Guardians.properties, effectiveAt: Deadline })),
  request: orNull(
    exactly({
      requestId: Hash,
      newPublicKey: PublicKeyPem,
      // Those in force at the request. Later changes don't stop it.
      guardians: Guardians,
      approvals: Type.Array(ActorId),
      // Null once it has enough approvals.
      expiresAt: orNull(Deadline),
      // Null until enough guardians approve.
      executableAt: orNull(Deadline),
    }),
  ),
  // Since the last recovery.
  cancellations: Type.Integer(),
});
export type RecoveryRecord = Static<typeof RecoveryRecord>;
