/**
 * Keys of laboratories: whoever knows the seed has them, so they are the same in each language and in each run, and secret
 * nowhere. vectors/lab/keys.json holds some.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { bytesToHex, canonicalize, publicKeyHash, sha256, utf8Bytes } from '@netd/protocol';
import type { KeyPair } from '../key-file.ts';

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = '302e020100300506032b657004220420';

export const DEFAULT_SEED = 'netd laboratory';

/** The key of an agent of a laboratory: of the SHA-256 of `{actorId, schema, seed}` in canonical JSON. Never hold money with it. */
export function labKey(actorId: string, seed: string = DEFAULT_SEED): KeyPair {
  const facts = canonicalize({ schema: 'NET-LAB-KEY/1', seed, actorId });
  const der = Buffer.from(PKCS8_PREFIX + bytesToHex(sha256(utf8Bytes(facts))), 'hex');
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { publicKey, publicKeyHash: publicKeyHash(publicKey), privateKey };
}
