/**
 * Keys of laboratories: with the seed one has them, so they are the same in each language and in each run, and secret
 * nowhere. vectors/lab/keys.json holds some.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { publicKeyHash } from '@netd/protocol';
import type { KeyPair } from '../key-file.ts';
import { DEFAULT_SEED, labKeyDer } from '../lab-seed.ts';

export { DEFAULT_SEED };

/** A laboratory believes the key of this name, with the seed that is the default, in the place of any other. */
export const ANYBODY = 'anybody';

/** The key of an agent of a laboratory: of the SHA-256 of `{actorId, schema, seed}` in canonical JSON. Never hold money with it. */
export function labKey(actorId: string, seed: string = DEFAULT_SEED): KeyPair {
  const der = Buffer.from(labKeyDer(actorId, seed));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { publicKey, publicKeyHash: publicKeyHash(publicKey), privateKey };
}
