/** SHA-256 in the forms the protocol uses. */
import { sha256Hex, sha256Into } from '#platform';
import { canonicalize } from './canonical-json.ts';

export { sha256Hex, sha256Into };

/** SHA-256 as 32 fresh bytes. */
export function sha256(data: Uint8Array | string): Uint8Array {
  const digest = new Uint8Array(32);
  sha256Into(data, digest, 0);
  return digest;
}

/** `hash(value)` of the protocol: lowercase hex SHA-256 of the value's canonical JSON bytes. */
export function hashValue(value: unknown): string {
  return sha256Hex(canonicalize(value));
}

/** The fingerprint of a document: its hash without the one member that will hold it. */
export function hashWithout(document: object, member: string): string {
  const { [member]: _, ...rest } = document as Record<string, unknown>;
  return hashValue(rest);
}
