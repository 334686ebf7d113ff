import { bytesToSign, utf8Bytes, utf8Text, zeroBits, type JsonObject } from '@netd/protocol';
import { pause } from './pause.ts';

const SLICE_MILLISECONDS = 15;
/** Most bits of work, about half an hour. If a node asks for more, the client refuses. */
export const MOST_NAME_BITS = 30;
const DIGITS = 8;

export interface WorkOptions {
  signal?: AbortSignal;
  progress?: (tried: number) => void;
}

/**
 * Returns a nonce with which the SHA-256 of the signed bytes begins with enough zero bits.
 * @param unsigned the envelope; the result begins with its fresh nonce
 */
export async function workedNonce(
  unsigned: JsonObject & { nonce: string },
  bits: number,
  { signal, progress }: WorkOptions = {},
): Promise<string> {
  const nonceOf = (tried: number): string =>
    `${unsigned.nonce}-${tried.toString(36).padStart(DIGITS, '0')}`;
  const bytes = bytesToSign({ ...unsigned, nonce: nonceOf(0) });
  // Count within the encoded bytes, because encoding costs more than hashing.
  const end =
    utf8Bytes(utf8Text(bytes).split(`${nonceOf(0)}"`)[0] ?? '').length + nonceOf(0).length;
  let sliceEnd = performance.now() + SLICE_MILLISECONDS;
  for (let tried = 0; ; tried++) {
    const digits = nonceOf(tried).slice(-DIGITS);
    for (let i = 0; i < DIGITS; i++) bytes[end - DIGITS + i] = digits.charCodeAt(i);
    if (zeroBits(bytes) >= bits) return nonceOf(tried);
    if (tried % 64 !== 0 || performance.now() < sliceEnd) continue;
    await pause(0);
    signal?.throwIfAborted();
    progress?.(tried);
    sliceEnd = performance.now() + SLICE_MILLISECONDS;
  }
}
