/** Verifies batches of signatures in a thread of its own. See verifier-pool.ts for the other end. */
import { parentPort } from 'node:worker_threads';
import { validatePoint, verifySignature } from '@netd/protocol/ed25519';

/** Many signatures in few buffers, so that handing them over costs next to nothing. */
export interface VerificationBatch {
  id: number;
  /** 32 bytes each. */
  keys: Uint8Array;
  /** 64 bytes each. */
  signatures: Uint8Array;
  /** One after the other, cut by `lengths`. */
  messages: Uint8Array;
  lengths: Uint32Array;
  /** 1 where the point of the key is to be checked too. */
  newKeys: Uint8Array;
}

export interface VerificationAnswer {
  id: number;
  verdicts: Uint8Array;
}

export const BAD_SIGNATURE = 0;
export const VALID = 1;
/** The signature holds, the key is not one that may be registered. */
export const INVALID_KEY = 2;

parentPort?.on('message', (batch: VerificationBatch) => {
  const verdicts = new Uint8Array(batch.lengths.length);
  let at = 0;
  for (const [index, length] of batch.lengths.entries()) {
    const key = batch.keys.subarray(index * 32, index * 32 + 32);
    const signature = batch.signatures.subarray(index * 64, index * 64 + 64);
    const message = batch.messages.subarray(at, at + length);
    at += length;
    verdicts[index] = verdictOn(key, message, signature, batch.newKeys[index] === 1);
  }
  const answer: VerificationAnswer = { id: batch.id, verdicts };
  parentPort?.postMessage(answer, [verdicts.buffer]);
});

function verdictOn(
  key: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  isNew: boolean,
): number {
  try {
    if (!verifySignature(key, message, signature)) return BAD_SIGNATURE;
  } catch {
    // 32 bytes that OpenSSL will not take as a key verify nothing.
    return BAD_SIGNATURE;
  }
  return isNew && validatePoint(key) !== null ? INVALID_KEY : VALID;
}
