/** Libsodium takes less than half the time of OpenSSL, which is the fallback. Decision 002. */
import { validatePoint } from '@netd/protocol/ed25519';
import { checkSignature } from '@netd/protocol/native';

/** Checks the cofactorless equation, without the strict checks of `isStrictSignature`. */
export type SignatureCheck = (
  rawKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean;

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));

/** One honest signature, and one whose R has a part of order 8. */
export const SAMPLE = {
  key: bytes('245418f5427ebfa822ea33e95fc7510208298c515a40eabf6fc80f4f5ecd5be8'),
  message: bytes('6e6574'),
  honest: bytes(
    '8f31ca28a29bdc636729c524a646011c7b13ec0c9cf080e6ccdde130501b9b51' +
      '16fd19299c1038bfe9f07e04db537e12eb48774abe62a87a511229a1a22ccb01',
  ),
  withTorsion: bytes(
    '9dbab365f606a56d63145465b5162742375b191de80ca1e7f686b9b5a260fc85' +
      '758346266b29120dbb00ab68b8940813c75b94facbcb9aba554d7139d42cac0f',
  ),
};

export async function loadSignatureCheck(
  warn: (sentence: string) => void,
): Promise<SignatureCheck> {
  try {
    return await loadSodium();
  } catch (error) {
    const { message } = error as Error;
    warn(`signatures are verified by OpenSSL, in twice the time: libsodium is out (${message})`);
    return checkSignature;
  }
}

/** @throws Error if there is no binary, or its verdicts differ from ours */
async function loadSodium(): Promise<SignatureCheck> {
  const { default: sodium } = await import('sodium-native');
  const equation: SignatureCheck = (rawKey, message, signature) =>
    sodium.crypto_sign_verify_detached(signature, message, rawKey);
  // Replays must accept what this binary accepts, and libraries have changed equations.
  const { key, message, honest, withTorsion } = SAMPLE;
  if (!equation(key, message, honest) || equation(key, message, withTorsion)) {
    throw new Error('its verdicts are not those of the cofactorless equation');
  }
  return equation;
}

export type PointCheck = (rawKey: Uint8Array) => boolean;

export const SAMPLE_KEYS: readonly (readonly [name: string, key: Uint8Array, valid: boolean])[] = [
  ['an honest one', SAMPLE.key, true],
  ['of small order', bytes(`01${'00'.repeat(31)}`), false],
  ['y beyond the prime', bytes(`f0${'ff'.repeat(30)}7f`), false],
  ['not on the curve', bytes(`02${'00'.repeat(31)}`), false],
  [
    'with a part of order 8',
    bytes('161b5deffa46ef92c621af7286562ee5a605433e2ddc591defa31f4ea300d7b3'),
    false,
  ],
  [
    'with a part of order 2',
    bytes('463e8865d95d8556ac2141fefe32f14ed867ebd465a01a9db2cb5c72a4033f5e'),
    false,
  ],
];

export async function loadPointCheck(): Promise<PointCheck> {
  const inJavaScript: PointCheck = (key) => validatePoint(key) === null;
  try {
    const { default: sodium } = await import('sodium-native');
    const check: PointCheck = (key) => sodium.crypto_core_ed25519_is_valid_point(key);
    return SAMPLE_KEYS.every(([, key, valid]) => check(key) === valid) ? check : inJavaScript;
  } catch {
    return inJavaScript;
  }
}
