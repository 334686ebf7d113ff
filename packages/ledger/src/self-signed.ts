/** Rules for envelopes that bring the key they are signed with: registrations, applications, claims. */
import {
  validatePublicKey,
  publicKeyHash,
  rawKeyFromPem,
  isSignedBy,
  type ErrorCode,
  type SelfSigned,
} from '@netd/protocol';
import type { ChainRecord } from './chain-records.ts';
import { requireThat } from './rule-error.ts';
import type { CheckContext, SubmittedEnvelope } from './transition.ts';

/** Refusals that every envelope can meet that brings its own key. */
export const SELF_SIGNED_ERRORS = [
  'PUBLIC_KEY_INVALID',
  'PUBLIC_KEY_HASH_MISMATCH',
  'SIGNATURE_INVALID',
  'CHAIN_ID_MISMATCH',
] as const satisfies ErrorCode[];

/**
 * What an envelope that brings its own key has to prove before anything it says counts.
 * @throws RuleError with one of SELF_SIGNED_ERRORS
 */
export function requireSelfSigned(
  { chain }: Pick<CheckContext, 'chain'>,
  { envelope, encoded, verifiedWith }: SubmittedEnvelope<SelfSigned>,
): void {
  if (verifiedWith !== envelope.publicKey) requireSelfSignature(envelope, encoded.signedBytes);
  requireChainId(chain, envelope.chainId);
}

/**
 * On a fork the keys are those of its origin: what names no chain might have been signed for either, so each has to name it.
 * @throws RuleError CHAIN_ID_MISMATCH
 */
export function requireChainId(
  { chainId: own, fork }: Pick<ChainRecord, 'chainId' | 'fork'>,
  chainId: string | undefined,
): void {
  requireThat(
    chainId === own || (chainId === undefined && fork === undefined),
    'CHAIN_ID_MISMATCH',
    '/chainId',
    () =>
      fork === undefined
        ? `this chain is ${own}`
        : `this chain is ${own}, a fork of ${fork.chainId}: what is signed for it names it`,
  );
}

/**
 * What the envelope proves by itself: a usable key and possession of it.
 * @throws RuleError PUBLIC_KEY_INVALID, PUBLIC_KEY_HASH_MISMATCH, SIGNATURE_INVALID
 */
function requireSelfSignature(envelope: SelfSigned, signedBytes: Uint8Array): void {
  requireDeclaredKey(envelope);
  requireThat(
    isSignedBy(envelope.publicKey, signedBytes, envelope.signature),
    'SIGNATURE_INVALID',
    '/signature',
  );
  requireValidKey(envelope.publicKey, '/publicKey');
}

/** The raw key of an envelope whose publicKey and publicKeyHash have the right form and agree. */
export function requireDeclaredKey(envelope: SelfSigned): Uint8Array {
  const rawKey = rawKeyFromPem(envelope.publicKey);
  requireThat(rawKey, 'PUBLIC_KEY_INVALID', '/publicKey', 'it is not an Ed25519 key as SPKI PEM');
  requireThat(
    envelope.publicKeyHash === publicKeyHash(envelope.publicKey),
    'PUBLIC_KEY_HASH_MISMATCH',
    '/publicKeyHash',
  );
  return rawKey;
}

/** The point itself: canonical, on the curve, torsion-free. About a millisecond, so it comes after the signature. */
export function requireValidKey(publicKey: string, path: string): void {
  const fault = validatePublicKey(publicKey);
  requireThat(!fault, 'PUBLIC_KEY_INVALID', path, () => `it is not a valid Ed25519 key (${fault})`);
}
