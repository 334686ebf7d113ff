/**
 * Native primitives of Node, byte for byte equal to web.ts. No other file of the package may import `node:*`.
 */
import { createPublicKey, hash, verify, type KeyObject } from 'node:crypto';

export function sha256Hex(data: Uint8Array | string): string {
  return hash('sha256', data, 'hex');
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

export function sha256Into(data: Uint8Array | string, target: Uint8Array, offset: number): void {
  // A latin1 string costs less than half of a fresh Buffer.
  bufferOf(target).write(hash('sha256', data, 'binary'), offset, 'latin1');
}

const HEX = /^[0-9A-Fa-f]*$/;

/** @throws RangeError if the text is not hex, two digits per byte, or does not fit */
export function hexInto(text: string, target: Uint8Array, offset: number): void {
  // Buffer alone accepts characters whose low byte is a digit.
  if (!HEX.test(text) || bufferOf(target).write(text, offset, 'hex') * 2 !== text.length) {
    throw new RangeError('the text is not hex, or does not fit');
  }
}

/** @throws RangeError unless the text is canonical: standard alphabet, padded, no stray bits */
export function base64ToBytes(text: string): Uint8Array {
  const buffer = Buffer.from(text, 'base64');
  // Buffer skips invalid characters, so compare the round trip.
  if (buffer.toString('base64') !== text) throw new RangeError('the text is not canonical base64');
  return new Uint8Array(buffer);
}

export function bytesToBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

const SPKI_ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

// Importing a key costs a third of a verification. A new key is kept as null and imported only at its second
// use.
const keyCache = new Map<string, KeyObject | null>();
const KEY_CACHE_SIZE = 8_000;
// A ring in order of arrival. A Map would walk over all deleted entries to find its oldest.
const keptIds: string[] = [];
let oldestPlace = 0;

export function importPublicKey(rawKey: Uint8Array): KeyObject {
  const id = cacheId(rawKey);
  const known = keyCache.get(id);
  if (known) return known;
  const key = createPublicKey(pemOf(rawKey));
  keep(id, key);
  return key;
}

/** Checks only the cofactorless equation. The caller has made the strict checks of ed25519.ts. */
export function checkSignature(
  rawKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const id = cacheId(rawKey);
  if (keyCache.has(id)) return verify(null, message, importPublicKey(rawKey), signature);
  keep(id, null);
  return verify(null, message, pemOf(rawKey), signature);
}

function cacheId(rawKey: Uint8Array): string {
  return Buffer.from(rawKey.buffer, rawKey.byteOffset, rawKey.byteLength).toString('latin1');
}

function pemOf(rawKey: Uint8Array): string {
  const der = Buffer.concat([SPKI_ED25519_PREFIX, rawKey]).toString('base64');
  return `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----\n`;
}

function keep(id: string, key: KeyObject | null): void {
  if (!keyCache.has(id)) {
    const oldest = keptIds[oldestPlace];
    if (oldest !== undefined) keyCache.delete(oldest);
    keptIds[oldestPlace] = id;
    oldestPlace = (oldestPlace + 1) % KEY_CACHE_SIZE;
  }
  keyCache.set(id, key);
}
