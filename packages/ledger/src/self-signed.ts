/** What envelopes prove that bring the key they are signed with: registrations, applications, claims. */
import {
  publicKeyFault,
  publicKeyHash,
  rawKeyFromPem,
  signatureBytes,
  verifySignature,
  type SelfSigned,
} from '@netd/protocol';
import { RuleError } from './rule-error.ts';

/**
 * What the envelope proves by itself: a usable key and possession of it.
 * @throws RuleError PUBLIC_KEY_INVALID, PUBLIC_KEY_HASH_MISMATCH, SIGNATURE_INVALID
 */
export function requireSelfSignature(envelope: SelfSigned, signedBytes: Uint8Array): void {
  const rawKey = requireDeclaredKey(envelope);
  const signature = signatureBytes(envelope.signature);
  if (!signature || !verifySignature(rawKey, signedBytes, signature)) {
    throw new RuleError('SIGNATURE_INVALID', { path: '/signature' });
  }
  requireSoundKey(envelope.publicKey, '/publicKey');
}

/** The raw key of an envelope whose publicKey and publicKeyHash have the right form and agree. */
export function requireDeclaredKey(envelope: SelfSigned): Uint8Array {
  const rawKey = rawKeyFromPem(envelope.publicKey);
  if (!rawKey) {
    throw new RuleError('PUBLIC_KEY_INVALID', {
      path: '/publicKey',
      message: 'is not an Ed25519 key as SPKI PEM',
    });
  }
  if (envelope.publicKeyHash !== publicKeyHash(envelope.publicKey)) {
    throw new RuleError('PUBLIC_KEY_HASH_MISMATCH', { path: '/publicKeyHash' });
  }
  return rawKey;
}

/** The point itself: canonical, on the curve, torsion-free. About a millisecond, so it comes after the signature. */
export function requireSoundKey(publicKey: string, path: string): void {
  const fault = publicKeyFault(publicKey);
  if (fault) {
    throw new RuleError('PUBLIC_KEY_INVALID', {
      path,
      message: `is not a sound Ed25519 key (${fault})`,
    });
  }
}
