import { sha256Hex, sha256Into } from '#platform';
import { canonicalize } from './canonical-json.ts';

export { sha256Hex, sha256Into };

export function sha256(data: Uint8Array | string): Uint8Array {
  const digest = new Uint8Array(32);
  sha256Into(data, digest, 0);
  return digest;
}

/** Returns `hash(value)` of the protocol: hex SHA-256 of the canonical JSON. */
export function hashValue(value: unknown): string {
  return sha256Hex(canonicalize(value));
}

const HASH = /^[0-9a-f]{64}$/;

export const isHash = (text: unknown): text is string =>
  typeof text === 'string' && HASH.test(text);

export function zeroBits(data: Uint8Array): number {
  const digest = sha256(data);
  let zeros = 0;
  while (digest[zeros] === 0) zeros++;
  return zeros === 32 ? 256 : 8 * zeros + Math.clz32(digest[zeros] ?? 0) - 24;
}

/** Hashes a document without the member that will hold this hash. */
export function hashWithout(document: object, member: string): string {
  const { [member]: _, ...rest } = document as Record<string, unknown>;
  return hashValue(rest);
}
