/** What the players keep from the chain: bodies of messages and memories, encrypted before anything leaves them. */
import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

export interface EncryptionKey {
  /** X25519, SPKI DER in base64: what others encrypt to. */
  publicKey: string;
  privateKey: KeyObject;
}

/** AES-256-GCM under a key both sides derive; only the recipient can (X25519 with a fresh key, HKDF-SHA-256). */
export interface SealedBody {
  ephemeralKey: string;
  box: string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

export function makeEncryptionKey(): EncryptionKey {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return { publicKey: exportKey(publicKey), privateKey };
}

/** @param recipient the public key of an EncryptionKey */
export function seal(plaintext: Uint8Array, recipient: string): SealedBody {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const ephemeralKey = exportKey(publicKey);
  const key = sharedKey(privateKey, recipient, ephemeralKey);
  return { ephemeralKey, box: encrypt(key, plaintext).toString('base64') };
}

/** @throws Error where it is sealed for somebody else, or was changed on the way */
export function unseal({ ephemeralKey, box }: SealedBody, { privateKey }: EncryptionKey): Buffer {
  const key = sharedKey(privateKey, ephemeralKey, ephemeralKey);
  return decrypt(key, Buffer.from(box, 'base64'));
}

/** @param key 32 bytes @returns iv, ciphertext and tag in one */
export function encrypt(key: Uint8Array, plaintext: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  return Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error where the key is another, or a bit was changed */
export function decrypt(key: Uint8Array, box: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, IV_BYTES));
  decipher.setAuthTag(box.subarray(-TAG_BYTES));
  const body = box.subarray(IV_BYTES, -TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

function sharedKey(privateKey: KeyObject, peer: string, ephemeralKey: string): Uint8Array {
  const der = Buffer.from(peer, 'base64');
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const secret = diffieHellman({ privateKey, publicKey });
  return new Uint8Array(hkdfSync('sha256', secret, ephemeralKey, 'netd demo message', 32));
}

function exportKey(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}
