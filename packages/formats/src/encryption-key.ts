/** X25519 keys as JSON Web Keys (RFC 7517, RFC 8037). */
import { canonicalize, sha256 } from '@netd/protocol';
import { base64url, importJWK, type JWK } from 'jose';
import { Type, type Static } from '@netd/protocol/type';
import { FormatError } from './errors.ts';

const THIRTY_TWO_BYTES = '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$';

export const Kid = Type.String({
  title: 'Kid',
  pattern: THIRTY_TWO_BYTES,
  description: 'The RFC 7638 thumbprint of the key, SHA-256 in base64url.',
});

export const EncryptionKey = Type.Object(
  {
    kty: Type.Literal('OKP'),
    crv: Type.Literal('X25519'),
    x: Type.String({ pattern: THIRTY_TWO_BYTES, description: 'The public key, base64url.' }),
    kid: Kid,
  },
  {
    title: 'EncryptionKey',
    additionalProperties: false,
    description:
      'The key to which others seal content. A JWK; the private member d is never part of it.',
  },
);
export type EncryptionKey = Static<typeof EncryptionKey>;

/** A key with its secret, which never leaves its owner. */
export interface EncryptionSecret extends EncryptionKey {
  d: string;
}

/** Current key first, then older ones that still open content. */
export type Keyring = readonly [EncryptionSecret, ...EncryptionSecret[]];

type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export async function generateEncryptionKey(): Promise<EncryptionSecret> {
  const pair = (await crypto.subtle.generateKey('X25519', true, ['deriveBits'])) as {
    privateKey: CryptoKey;
  };
  const { x = '', d = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  return { ...encryptionKeyOf(x), d };
}

export function publicEncryptionKey({ kty, crv, x, kid }: EncryptionSecret): EncryptionKey {
  return { kty, crv, x, kid };
}

export function encryptionKeyOf(x: string): EncryptionKey {
  const key = { kty: 'OKP', crv: 'X25519', x } as const;
  // RFC 7638: hash the required members as canonical JSON.
  return { ...key, kid: base64url.encode(sha256(canonicalize(key))) };
}

export function requireOwnKid({ x, kid }: EncryptionKey, path = ''): void {
  const expected = encryptionKeyOf(x).kid;
  if (kid !== expected) {
    throw new FormatError('ENCRYPTION_KEY_INVALID', path, `its thumbprint is ${expected}`);
  }
}

/** @throws FormatError if the key is not X25519, or its kid is not its thumbprint */
export async function importEncryptionKey(
  key: EncryptionKey | EncryptionSecret,
): Promise<CryptoKey> {
  const fault = (detail: string): FormatError =>
    new FormatError('ENCRYPTION_KEY_INVALID', '', detail);
  if (key.kty !== 'OKP' || key.crv !== 'X25519') throw fault('kty OKP and crv X25519 are needed');
  requireOwnKid(key);
  try {
    return (await importJWK(key as JWK, 'ECDH-ES+A256KW')) as CryptoKey;
  } catch {
    throw fault('the runtime cannot import it');
  }
}
