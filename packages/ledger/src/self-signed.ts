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
import { requireInRules } from './rules.ts';
import type { CheckContext, SubmittedEnvelope } from './transition.ts';

export const SELF_SIGNED_ERRORS = [
  'PUBLIC_KEY_INVALID',
  'PUBLIC_KEY_HASH_MISMATCH',
  'SIGNATURE_INVALID',
  'CHAIN_ID_MISMATCH',
  'GENESIS_HASH_MISMATCH',
] as const satisfies ErrorCode[];

/** Verifies an envelope with its own key. Call it before using anything in the envelope. */
export function requireSelfSigned(
  context: Pick<CheckContext, 'chain' | 'rules'>,
  { envelope, encoded, verifiedWith }: SubmittedEnvelope<SelfSigned>,
): void {
  if (verifiedWith !== envelope.publicKey) requireSelfSignature(envelope, encoded.signedBytes);
  requireOwnChain(context, envelope);
}

export function requireOwnChain(
  { chain, rules }: Pick<CheckContext, 'chain' | 'rules'>,
  { chainId, genesisHash }: Pick<SelfSigned, 'chainId' | 'genesisHash'>,
): void {
  requireChainId(chain, chainId);
  if (rules.atLeast(2)) requireGenesisHash(chain, genesisHash, '/genesisHash');
}

export function requireGenesisHash(
  { genesisHash: own }: Pick<ChainRecord, 'genesisHash'>,
  genesisHash: unknown,
  path: string,
): void {
  if (genesisHash === undefined) return;
  requireThat(
    genesisHash === own,
    'GENESIS_HASH_MISMATCH',
    path,
    () => `the genesis hash of this chain is ${own}`,
  );
}

/** @throws RuleError RULES_NOT_ACTIVE if an envelope of a closed schema names its genesis too early */
export function requireGenesisHashAllowed(
  { rules }: Pick<CheckContext, 'rules'>,
  { genesisHash }: Pick<SelfSigned, 'genesisHash'>,
): void {
  if (genesisHash !== undefined) requireInRules(rules, { since: 2 }, '/genesisHash');
}

/**
 * Requires that envelopes of a fork name their chain: the keys are the origin's, so a signature could be
 * meant for either.
 */
function requireChainId(
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
        : `this chain is ${own}, a fork of ${fork.chainId}: signed envelopes must name it`,
  );
}

function requireSelfSignature(envelope: SelfSigned, signedBytes: Uint8Array): void {
  requireDeclaredKey(envelope);
  requireThat(
    isSignedBy(envelope.publicKey, signedBytes, envelope.signature),
    'SIGNATURE_INVALID',
    '/signature',
  );
  requireValidKey(envelope.publicKey, '/publicKey');
}

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

/**
 * Checks that the point is canonical, on the curve and torsion-free. Takes about a millisecond, so check the
 * signature first.
 */
export function requireValidKey(publicKey: string, path: string): void {
  const fault = validatePublicKey(publicKey);
  requireThat(!fault, 'PUBLIC_KEY_INVALID', path, () => `it is not a valid Ed25519 key (${fault})`);
}
