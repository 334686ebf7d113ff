/**
 * Strict Ed25519, because libraries disagree about crafted inputs. The key must be a canonical, torsion-free
 * point other than the identity (checked once, at registration). R must be canonical and not of small order,
 * and S < L. The equation is cofactorless (RFC 8032 section 5.1.7).
 */
import { ed25519 } from '@noble/curves/ed25519.js';
import { checkSignature } from '#platform';
import { base64ToBytes, bytesToHex } from './bytes.ts';
import { hashValue } from './hash.ts';

const PEM =
  /^-----BEGIN PUBLIC KEY-----\r?\n([A-Za-z0-9+/=]{60})\r?\n-----END PUBLIC KEY-----(?:\r?\n)?$/;

/** The SPKI header (RFC 8410) in base64: 12 bytes, followed by the 32 bytes of the point. */
const SPKI_PREFIX = 'MCowBQYDK2VwAyEA';

const SIGNATURE_LENGTH = 88;

const SMALL_ORDER = new Set([
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
]);

const L_BYTES = Uint8Array.from(
  'edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010'.match(/../g) ?? [],
  (pair) => Number.parseInt(pair, 16),
);

export type InvalidKeyReason =
  'NOT_SPKI_PEM' | 'NOT_CANONICAL' | 'NOT_ON_CURVE' | 'SMALL_ORDER' | 'NOT_TORSION_FREE';

/** Returns null if the text is not an Ed25519 SPKI PEM. Does not check the point. */
export function rawKeyFromPem(pem: string): Uint8Array | null {
  const base64 = PEM.exec(pem)?.[1];
  if (!base64?.startsWith(SPKI_PREFIX)) return null;
  try {
    const raw = base64ToBytes(base64.slice(SPKI_PREFIX.length));
    return raw.length === 32 ? raw : null;
  } catch {
    return null;
  }
}

/** Returns null if the key may be registered. Takes about a millisecond. */
export function validatePublicKey(pem: string): InvalidKeyReason | null {
  const raw = rawKeyFromPem(pem);
  return raw === null ? 'NOT_SPKI_PEM' : validatePoint(raw);
}

export function validatePoint(raw: Uint8Array): InvalidKeyReason | null {
  if (!isCanonicalPoint(raw)) return 'NOT_CANONICAL';
  if (SMALL_ORDER.has(bytesToHex(raw))) return 'SMALL_ORDER';
  let point;
  try {
    point = ed25519.Point.fromBytes(raw);
  } catch {
    return 'NOT_ON_CURVE';
  }
  return point.isTorsionFree() ? null : 'NOT_TORSION_FREE';
}

export function publicKeyHash(pem: string): string {
  return hashValue(pem);
}

export function signatureBytes(signature: string): Uint8Array | null {
  if (signature.length !== SIGNATURE_LENGTH) return null;
  try {
    const bytes = base64ToBytes(signature);
    return bytes.length === 64 ? bytes : null;
  } catch {
    return null;
  }
}

/** Checks R and S before the equation, so that every native verifier agrees. */
export function isStrictSignature(signature: Uint8Array): boolean {
  if (signature.length !== 64) return false;
  const R = signature.subarray(0, 32);
  return isCanonicalPoint(R) && isReducedScalar(signature.subarray(32)) && !isSmallOrder(R);
}

/** Applies the strict rule to a key that has passed `validatePublicKey`. */
export function verifySignature(
  rawKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  return isStrictSignature(signature) && checkSignature(rawKey, message, signature);
}

/** Verifies PEM keys and base64 signatures. Returns false if either is malformed. */
export function isSignedBy(publicKey: string, message: Uint8Array, signature: string): boolean {
  const key = rawKeyFromPem(publicKey);
  const bytes = signatureBytes(signature);
  return key !== null && bytes !== null && verifySignature(key, message, bytes);
}

function isCanonicalPoint(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  const top = bytes[31] ?? 0;
  if ((top & 0x7f) === 0x7f && (bytes[0] ?? 0) >= 0xed) {
    let allOnes = true;
    for (let i = 1; i < 31; i++) if (bytes[i] !== 0xff) allOnes = false;
    if (allOnes) return false;
  }
  if ((top & 0x80) === 0) return true;
  // x is 0 only for y = ±1. With the sign bit set, these encode nothing.
  const hex = bytesToHex(bytes);
  return (
    hex !== '0100000000000000000000000000000000000000000000000000000000000080' &&
    hex !== 'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'
  );
}

function isSmallOrder(point: Uint8Array): boolean {
  return SMALL_ORDER.has(bytesToHex(point));
}

function isReducedScalar(scalar: Uint8Array): boolean {
  for (let i = 31; i >= 0; i--) {
    const digit = scalar[i] ?? 0;
    const limit = L_BYTES[i] ?? 0;
    if (digit < limit) return true;
    if (digit > limit) return false;
  }
  return false;
}
