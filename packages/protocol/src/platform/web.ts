/** Primitives for browsers and other runtimes: audited JavaScript, equal to node.ts. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 as nobleSha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const toBytes = (data: Uint8Array | string): Uint8Array =>
  typeof data === 'string' ? utf8ToBytes(data) : data;

export function sha256Hex(data: Uint8Array | string): string {
  return bytesToHex(nobleSha256(toBytes(data)));
}

export function sha256Into(data: Uint8Array | string, target: Uint8Array, offset: number): void {
  target.set(nobleSha256(toBytes(data)), offset);
}

export function hexInto(text: string, target: Uint8Array, offset: number): void {
  let bytes: Uint8Array;
  try {
    bytes = hexToBytes(text);
  } catch (cause) {
    throw new RangeError('the text is not hex', { cause });
  }
  target.set(bytes, offset);
}

export function base64ToBytes(text: string): Uint8Array {
  let binary: string | null = null;
  try {
    binary = atob(text);
  } catch {
    // Rejected below.
  }
  if (binary === null || btoa(binary) !== text) {
    throw new RangeError('the text is not canonical base64');
  }
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

export function bytesToBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

export function checkSignature(
  rawKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    const { Point } = ed25519;
    const R = signature.subarray(0, 32);
    const S = littleEndian(signature.subarray(32));
    const challenge = new Uint8Array(64 + message.length);
    challenge.set(R, 0);
    challenge.set(rawKey, 32);
    challenge.set(message, 64);
    const k = Point.Fn.create(littleEndian(sha512(challenge)));
    // [S]B - [k]A must encode to exactly R (cofactorless, RFC 8032 section 5.1.7).
    const negA = Point.fromBytes(rawKey).negate();
    const left = S === 0n ? Point.ZERO : Point.BASE.multiplyUnsafe(S);
    const right = k === 0n ? Point.ZERO : negA.multiplyUnsafe(k);
    return bytesToHex(left.add(right).toBytes()) === bytesToHex(R);
  } catch {
    return false;
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i] ?? 0);
  return value;
}
