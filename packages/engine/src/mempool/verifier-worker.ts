import { parentPort, workerData } from 'node:worker_threads';
import { isStrictSignature } from '@netd/protocol/ed25519';
import { loadSignatureCheck, loadPointCheck } from './signature-check.ts';
import { BAD_SIGNATURE, batchViews, INVALID_KEY, VALID } from './signature-batch.ts';

export interface VerifierData {
  /** True for the one worker that warns about the slower fallback. */
  warns: boolean;
}

const { warns } = workerData as VerifierData;
const checkSignature = await loadSignatureCheck((sentence) => {
  if (warns) process.emitWarning(sentence);
});
const isValidPoint = await loadPointCheck();

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
    if (!isStrictSignature(signature) || !checkSignature(key, message, signature)) {
      return BAD_SIGNATURE;
    }
  } catch {
    return BAD_SIGNATURE;
  }
  return isNew && !isValidPoint(key) ? INVALID_KEY : VALID;
}
