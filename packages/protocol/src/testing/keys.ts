/** Ed25519 keys that derive from names, so that every run signs the same bytes. For tests only. */
// oxlint-disable-next-line import/no-nodejs-modules -- nothing of this folder takes part in execution
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { bytesToBase64, bytesToHex, hexToBytes } from '../bytes.ts';
import { publicKeyHash, rawKeyFromPem } from '../ed25519.ts';
import { sha256 } from '../hash.ts';

/** What an envelope is signed with. */
export interface SigningKey {
  /** base64 Ed25519 signature. */
  sign: (bytes: Uint8Array) => string;
}

/** How an actor is known: the key that an envelope may bring along. */
export interface PublicKey {
  /** SPKI PEM. */
  publicKey: string;
  publicKeyHash: string;
}

export interface TestKey extends SigningKey, PublicKey {
  /** The 32 secret bytes: the SHA-256 of a name. */
  seed: Uint8Array;
  /** The 32 bytes of the public key. */
  raw: Uint8Array;
  /** The same in hex: the id of the key's record in state. */
  rawHex: string;
  /** PKCS #8 PEM. */
  privateKeyPem: string;
  signBytes: (bytes: Uint8Array) => Uint8Array;
}

const known = new Map<string, TestKey>();

/** The key of a name: always the same one. */
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
  // The type of node:crypto asks for a Buffer and takes any bytes.
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

/** A key that was not made of a name, out of its PKCS #8 PEM. */
export function signingKeyOf(privateKeyPem: string): SigningKey {
  const privateKey = createPrivateKey(privateKeyPem);
  return { sign: (bytes) => bytesToBase64(signWith(privateKey, bytes)) };
}

function signWith(privateKey: KeyObject, bytes: Uint8Array): Uint8Array {
  return new Uint8Array(sign(null, bytes, privateKey));
}
