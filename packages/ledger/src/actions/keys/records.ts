import { ActorId, Hash, PublicKeyPem } from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';
import { Deadline } from '../../deadline.ts';

/** Owner of a key, permanent. The id is the key's 32 raw bytes in hex. */
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
      // Guardians at the request. Later changes don't stop it.
      guardians: Guardians,
      approvals: Type.Array(ActorId),
      expiresAt: orNull(Deadline),
      executableAt: orNull(Deadline),
    }),
  ),
  cancellations: Type.Integer(),
});
export type RecoveryRecord = Static<typeof RecoveryRecord>;
