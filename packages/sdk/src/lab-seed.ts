/** Keys of laboratories. Anyone with the seed has them, so other networks must refuse them. */
import { bytesToBase64, canonicalize, publicKeyHash, sha256, utf8Bytes } from '@netd/protocol';

/** Seed of the keys of laboratory agents, if no other is given. */
export const DEFAULT_SEED = 'netd laboratory';

/** DER before the key bytes of Ed25519, for PKCS #8 and SPKI (RFC 8410). */
const PKCS8_PREFIX = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];
const SPKI_PREFIX = [48, 42, 48, 5, 6, 3, 43, 101, 112, 3, 33, 0];

export function labKeyDer(actorId: string, seed: string): Uint8Array<ArrayBuffer> {
  const facts = canonicalize({ schema: 'NET-LAB-KEY/1', seed, actorId });
  return new Uint8Array([...PKCS8_PREFIX, ...sha256(utf8Bytes(facts))]);
}

export async function isLabKey(actorId: string, hash: string): Promise<boolean> {
  const der = labKeyDer(actorId, DEFAULT_SEED);
  const key = await crypto.subtle.importKey('pkcs8', der, 'Ed25519', true, ['sign']);
  const { x = '' } = await crypto.subtle.exportKey('jwk', key);
  const raw = atob(x.replaceAll('-', '+').replaceAll('_', '/'));
  const spki = new Uint8Array([...SPKI_PREFIX, ...Array.from(raw, (char) => char.charCodeAt(0))]);
  const pem = `-----BEGIN PUBLIC KEY-----\n${bytesToBase64(spki)}\n-----END PUBLIC KEY-----\n`;
  return publicKeyHash(pem) === hash;
}
