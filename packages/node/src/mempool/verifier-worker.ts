/** Verifies batches of signatures in a thread of its own, in the order in which they come. See verifier-pool.ts. */
import { parentPort } from 'node:worker_threads';
import { validatePoint, verifySignature } from '@netd/protocol/ed25519';

/** Where the parts of a batch lie in its one buffer, after how many signatures it has. */
interface BatchViews {
  lengths: Uint32Array;
  /** 32 bytes each. */
  keys: Uint8Array;
  /** 64 bytes each. */
  signatures: Uint8Array;
  /** 1 where the point of the key is to be checked too. */
  newKeys: Uint8Array;
  /** One after the other, cut by `lengths`. */
  messages: Uint8Array;
}

const BYTES_PER_COUNT = 4;
const BYTES_PER_SIGNATURE = 4 + 32 + 64 + 1;

/** @param messageBytes of all messages together */
export function batchSize(count: number, messageBytes: number): number {
  return BYTES_PER_COUNT + count * BYTES_PER_SIGNATURE + messageBytes;
}

/** @param count how many signatures a new batch is for; without it the batch says so itself */
export function batchViews(batch: ArrayBuffer, count?: number): BatchViews {
  const header = new Uint32Array(batch, 0, 1);
  if (count !== undefined) header[0] = count;
  const [signatures = 0] = header;
  let at = BYTES_PER_COUNT;
  const next = (bytes?: number): Uint8Array => {
    const view = new Uint8Array(batch, at, bytes);
    at += view.length;
    return view;
  };
  const lengths = new Uint32Array(batch, at, signatures);
  at += lengths.byteLength;
  return {
    lengths,
    keys: next(signatures * 32),
    signatures: next(signatures * 64),
    newKeys: next(signatures),
    messages: next(),
  };
}

export const BAD_SIGNATURE = 0;
export const VALID = 1;
/** The signature holds, the key is not one that may be registered. */
export const INVALID_KEY = 2;

parentPort?.on('message', (batch: ArrayBuffer | null) => {
  if (batch === null) {
    parentPort?.close();
    return;
  }
  const { lengths, keys, signatures, newKeys, messages } = batchViews(batch);
  const verdicts = new Uint8Array(lengths.length);
  let at = 0;
  for (const [index, length] of lengths.entries()) {
    const key = keys.subarray(index * 32, index * 32 + 32);
    const signature = signatures.subarray(index * 64, index * 64 + 64);
    const message = messages.subarray(at, at + length);
    at += length;
    verdicts[index] = verdictOn(key, message, signature, newKeys[index] === 1);
  }
  parentPort?.postMessage(verdicts, [verdicts.buffer]);
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
