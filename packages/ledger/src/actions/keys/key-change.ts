/** What rotation and recovery share: a new key is fresh, valid, and signs its own installation. */
import { bytesToHex, bytesToSign, publicKeyHash, rawKeyFromPem, isSignedBy } from '@netd/protocol';
import { putAuthority } from '../../authority.ts';
import type { AuthorityRecord } from '../../chain-records.ts';
import { RuleError } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import { requireValidKey } from '../../self-signed.ts';

/**
 * @param statement what the new key must have signed, as canonical JSON
 * @throws RuleError PUBLIC_KEY_INVALID, KEY_ALREADY_REGISTERED, ROTATION_SIGNATURE_INVALID
 */
export function requireNewKey(
  state: ReadableState,
  newPublicKey: string,
  newKeySignature: string,
  statement: object,
): void {
  const rawKey = rawKeyFromPem(newPublicKey);
  if (!rawKey) {
    throw new RuleError('PUBLIC_KEY_INVALID', {
      path: '/payload/newPublicKey',
      message: 'is not an Ed25519 key as SPKI PEM',
    });
  }
  if (state.get('key', bytesToHex(rawKey))) {
    throw new RuleError('KEY_ALREADY_REGISTERED', { path: '/payload/newPublicKey' });
  }
  if (!isSignedBy(newPublicKey, bytesToSign(statement), newKeySignature)) {
    throw new RuleError('ROTATION_SIGNATURE_INVALID', { path: '/payload/newKeySignature' });
  }
  requireValidKey(newPublicKey, '/payload/newPublicKey');
}

/** Makes the key known for good, so that it cannot be registered again. */
export function reserveKey(state: WritableState, publicKey: string, actorId: string): void {
  const rawKey = rawKeyFromPem(publicKey);
  if (rawKey) state.put('key', bytesToHex(rawKey), { actorId });
}

/** Puts the key into the authority; it must be reserved. */
export function installKey(
  state: WritableState,
  authority: AuthorityRecord,
  publicKey: string,
): { oldKeyHash: string; newKeyHash: string } {
  const newKeyHash = publicKeyHash(publicKey);
  putAuthority(state, { ...authority, publicKey, publicKeyHash: newKeyHash });
  return { oldKeyHash: authority.publicKeyHash, newKeyHash };
}
