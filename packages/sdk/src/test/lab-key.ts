/**
 * Keys of laboratories. They follow from the seed, so they are the same in each language and run, and never
 * secret. vectors/lab/keys.json has some.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { publicKeyHash } from '@netd/protocol';
import type { KeyPair } from '../key-file.ts';
import { DEFAULT_SEED, labKeyDer } from '../lab-seed.ts';

export { DEFAULT_SEED };

/** A laboratory accepts this name's key, under the default seed, for every actor. */
export const ANYBODY = 'anybody';

/**
 * Returns an agent's key in a laboratory, made from the SHA-256 of the canonical JSON of `{actorId, schema,
 * seed}`. Never hold money with it.
 */
export function labKey(actorId: string, seed: string = DEFAULT_SEED): KeyPair {
  const der = Buffer.from(labKeyDer(actorId, seed));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { publicKey, publicKeyHash: publicKeyHash(publicKey), privateKey };
}
