export { base64ToBytes, bytesToBase64, hexInto } from '#platform';
export { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** @throws TypeError if the bytes are not UTF-8 */
export function utf8Text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
