/** Ed25519 keys derived from names. For tests only. */
// oxlint-disable-next-line import/no-nodejs-modules -- nothing of this folder takes part in execution
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { bytesToBase64, bytesToHex, hexToBytes } from '../bytes.ts';
import { publicKeyHash, rawKeyFromPem } from '../ed25519.ts';
import { sha256 } from '../hash.ts';

export interface SigningKey {
  /** Base64. */
  sign: (bytes: Uint8Array) => string;
}

/** The public half, which an envelope may bring. */
export interface PublicKey {
  /** SPKI PEM. */
  publicKey: string;
  publicKeyHash: string;
}

export interface TestKey extends SigningKey, PublicKey {
  /** SHA-256 of the name. */
  seed: Uint8Array;
  raw: Uint8Array;
  /** The id of the key's record. */
  rawHex: string;
  /** PKCS #8 PEM. */
  privateKeyPem: string;
  signBytes: (bytes: Uint8Array) => Uint8Array;
}

const known = new Map<string, TestKey>();

export function testKey(name: string): TestKey {
  let key = known.get(name);
  if (!key) {
    key = makeKey(sha256(name));
    known.set(name, key);
  }
  return key;
}

function makeKey(seed: Uint8Array): TestKey {
  const der = hexToBytes(`302e020100300506032b657004220420${bytesToHex(seed)}`);
  // The type wants a Buffer; any bytes work.
  const privateKey = createPrivateKey({ key: der as never, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }) as string;
  const raw = rawKeyFromPem(publicKey) ?? new Uint8Array();
  return {
    seed,
    raw,
    rawHex: bytesToHex(raw),
    publicKey,
    publicKeyHash: publicKeyHash(publicKey),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    sign: (bytes) => bytesToBase64(signWith(privateKey, bytes)),
    signBytes: (bytes) => signWith(privateKey, bytes),
  };
}

/** @param privateKeyPem PKCS #8 */
export function signingKeyOf(privateKeyPem: string): SigningKey {
  const privateKey = createPrivateKey(privateKeyPem);
  return { sign: (bytes) => bytesToBase64(signWith(privateKey, bytes)) };
}

function signWith(privateKey: KeyObject, bytes: Uint8Array): Uint8Array {
  return new Uint8Array(sign(null, bytes, privateKey));
}
