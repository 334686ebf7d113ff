/** Ids that only this agent can compute, so that no stranger takes them first. The Python client makes the same. */
import type { Keyring } from '@netd/formats';
import { bytesToBase64, hashValue, utf8Bytes, type JsonObject } from '@netd/protocol';

const SCHEMA = 'NET-OWN-ID/1';

interface Secrets {
  agentId: string;
  /** Newest first; null for a session that reads nothing sealed. */
  encryption: Keyring | null;
  sign: (bytes: Uint8Array) => Promise<Uint8Array>;
}

/**
 * Returns the secret behind the ids. All processes of an agent have the same, because rotations keep the oldest
 * X25519 key. A session without that key has a secret of its own, which its processes share: an Ed25519 signature of
 * fixed bytes.
 */
export async function idSecretOf({ agentId, encryption, sign }: Secrets): Promise<string> {
  const secret =
    encryption?.at(-1)?.d ?? bytesToBase64(await sign(utf8Bytes(`${SCHEMA} ${agentId}`)));
  return hashValue([SCHEMA, agentId, secret]);
}

/** Returns 160 bits in lowercase hex that follow from the secret and the facts. */
export const ownId = (secret: string, facts: JsonObject): string =>
  hashValue([SCHEMA, secret, facts]).slice(0, 40);

/** Returns the only id that this agent gives to its answer of a message, so that it answers once. */
export const answerIdOf = (secret: string, replyTo: string): string =>
  `re-${ownId(secret, { replyTo })}`;
