/** Honest envelopes before signing. `members` replace, add, or (if undefined) remove members. */
import type { JsonObject } from '../canonical-json.ts';
import { bytesToSign } from '../envelope.ts';
import type { PublicKey, SigningKey } from './keys.ts';

export type Members = Record<string, unknown>;

/** A signer that brings its key. */
export interface SelfSigner {
  actorId: string;
  key: PublicKey;
}

export function signEnvelope(key: SigningKey, unsigned: JsonObject): JsonObject {
  return { ...unsigned, signature: signatureOf(key, unsigned) };
}

export function signatureOf(key: SigningKey, statement: JsonObject): string {
  return key.sign(bytesToSign(statement));
}

export function registrationOf(
  { actorId, key: { publicKey, publicKeyHash } }: SelfSigner,
  members: Members & { nonce: string },
): JsonObject {
  return defined({ actorId, publicKey, publicKeyHash, ...members });
}

export function applicationOf(
  applicant: SelfSigner,
  members: Members & {
    nonce: string;
    applicationId: string;
    role: string;
    capabilities: readonly JsonObject[];
    expiresAtHeight: number;
  },
): JsonObject {
  return registrationOf(applicant, { schema: 'NET-OPERATOR-APPLICATION/1', ...members });
}

export function claimOf(
  claimant: SelfSigner,
  members: Members & { nonce: string; invitationId: string },
): JsonObject {
  return registrationOf(claimant, { schema: 'NET-OPERATOR-INVITATION-CLAIM/1', ...members });
}

export function intentOf(
  actorId: string,
  members: Members & {
    nonce: string;
    expiresAtHeight: number;
    action: string;
    payload: unknown;
  },
): JsonObject {
  return defined({ actorId, ...members });
}

function defined(members: Members): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as JsonObject;
}
