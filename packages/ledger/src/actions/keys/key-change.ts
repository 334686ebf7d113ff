import { bytesToHex, bytesToSign, publicKeyHash, rawKeyFromPem, isSignedBy } from '@netd/protocol';
import { putAuthority } from '../../authority.ts';
import type { AuthorityRecord } from '../../chain-records.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import { requireValidKey } from '../../self-signed.ts';

/** @param statement canonical JSON that the new key must have signed */
export function requireNewKey(
  state: ReadableState,
  newPublicKey: string,
  newKeySignature: string,
  statement: object,
): void {
  const rawKey = rawKeyFromPem(newPublicKey);
  requireThat(
    rawKey,
    'PUBLIC_KEY_INVALID',
    '/payload/newPublicKey',
    'it is not an Ed25519 key as SPKI PEM',
  );
  requireThat(
    !state.get('key', bytesToHex(rawKey)),
    'KEY_ALREADY_REGISTERED',
    '/payload/newPublicKey',
  );
  requireThat(
    isSignedBy(newPublicKey, bytesToSign(statement), newKeySignature),
    'ROTATION_SIGNATURE_INVALID',
    '/payload/newKeySignature',
  );
  requireValidKey(newPublicKey, '/payload/newPublicKey');
}

export function installKey(
  state: WritableState,
  authority: AuthorityRecord,
  publicKey: string,
): { oldKeyHash: string; newKeyHash: string } {
  const newKeyHash = publicKeyHash(publicKey);
  putAuthority(state, { ...authority, publicKey, publicKeyHash: newKeyHash });
  return { oldKeyHash: authority.publicKeyHash, newKeyHash };
}
