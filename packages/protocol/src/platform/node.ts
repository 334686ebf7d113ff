/**
 * The primitives that Node has natively. The same functions as web.ts, byte for byte; only faster.
 * This is the one file of the package that may import `node:*`.
 */
import { createPublicKey, hash, verify, type KeyObject } from 'node:crypto';

/** SHA-256 (FIPS 180-4) of bytes, or of the UTF-8 bytes of a string, as 64 lowercase hex digits. */
export function sha256Hex(data: Uint8Array | string): string {
  return hash('sha256', data, 'hex');
}

/** The same memory, with the methods of a Buffer. */
const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

/** SHA-256 written as 32 bytes into `target` at `offset`. */
export function sha256Into(data: Uint8Array | string, target: Uint8Array, offset: number): void {
  // A binary (latin1) string is the cheapest way out of node:crypto: less than half the cost of a fresh Buffer.
  bufferOf(target).write(hash('sha256', data, 'binary'), offset, 'latin1');
}

const HEX = /^[0-9A-Fa-f]*$/;

/**
 * Writes the bytes that hex digits stand for into `target` at `offset`.
 * @throws RangeError where the text is not hex digits, two a byte, or there is no room for them
 */
export function hexInto(text: string, target: Uint8Array, offset: number): void {
  // By itself it would take letters whose low byte is a digit for that digit.
  if (!HEX.test(text) || bufferOf(target).write(text, offset, 'hex') * 2 !== text.length) {
    throw new RangeError('the text is not hex, or does not fit');
  }
}

/** @throws RangeError unless the text is canonical: standard alphabet, padded, no stray bits */
export function base64ToBytes(text: string): Uint8Array {
  const buffer = Buffer.from(text, 'base64');
  // Buffer skips what it does not understand; only a text that comes out again is what it stands for.
  if (buffer.toString('base64') !== text) throw new RangeError('the text is not canonical base64');
  return new Uint8Array(buffer);
}

export function bytesToBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

const SPKI_ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

// Importing a key costs about a third of a verification, and the same agents come again: keep the recent ones, and of those
// that came once only that they did (null). Where every agent comes once, nothing is imported for good.
const keyCache = new Map<string, KeyObject | null>();
const KEY_CACHE_SIZE = 8_000;
// In the order in which they came, round and round: a Map passes the places of all that have gone before it finds its oldest.
const keptIds: string[] = [];
let oldestPlace = 0;

/** The native key handle of 32 raw public key bytes; the last 8,000 that came are kept. */
export function importPublicKey(rawKey: Uint8Array): KeyObject {
  const id = cacheId(rawKey);
  const known = keyCache.get(id);
  if (known) return known;
  const key = createPublicKey(pemOf(rawKey));
  keep(id, key);
  return key;
}

/** The cofactorless Ed25519 equation only; the caller has made the strict checks of ed25519.ts. */
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

/** PEM is by far the fastest of all the forms that Node imports: 11 µs against 26 to 30. */
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
