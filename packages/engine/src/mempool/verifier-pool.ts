/**
 * Verifies signatures in worker threads. Signatures queue while the workers are busy, so messages become few
 * and large. A handful goes to Node's thread pool instead.
 */
import { verify } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { isStrictSignature } from '@netd/protocol';
import { importPublicKey } from '@netd/protocol/native';
import { WorkerThread } from '../worker-thread.ts';
import { loadPointCheck, type PointCheck } from './signature-check.ts';
import { BAD_SIGNATURE, batchSize, batchViews, INVALID_KEY, VALID } from './signature-batch.ts';
import type { VerifierData } from './verifier-worker.ts';

export interface SignatureToVerify {
  /** 32 bytes. */
  key: Uint8Array;
  message: Uint8Array;
  /** 64 bytes. */
  signature: Uint8Array;
  /** True if the key's point must be checked too. */
  isNewKey: boolean;
}

export type SignatureVerdict = 'valid' | 'bad-signature' | 'invalid-key';

interface Job {
  signature: SignatureToVerify;
  resolve: (verdict: SignatureVerdict | Promise<SignatureVerdict>) => void;
  reject: (error: unknown) => void;
}

const DIRECT_UP_TO = 8;
const BATCH_SIZE = 96;
const BATCHES_PER_WORKER = 2;
/** V8's default would keep 20 MB more for each thread. */
const YOUNG_MEGABYTES = 3;

const VERDICTS: Record<number, SignatureVerdict> = {
  [BAD_SIGNATURE]: 'bad-signature',
  [VALID]: 'valid',
  [INVALID_KEY]: 'invalid-key',
};

export const HALF_THE_CORES = Math.max(1, Math.floor(availableParallelism() / 2));

export class VerifierPool {
  private queued: Job[] = [];
  private readonly workers: PoolWorker[] = [];
  private readonly size: number;

  constructor(size = availableParallelism()) {
    this.size = size;
  }

  verify(signature: SignatureToVerify): Promise<SignatureVerdict> {
    return new Promise((resolve, reject) => {
      this.queued.push({ signature, resolve, reject });
      if (this.queued.length === 1) setImmediate(() => this.flush());
    });
  }

  async verifyAll(signatures: readonly SignatureToVerify[]): Promise<SignatureVerdict[]> {
    if (signatures.length <= DIRECT_UP_TO) {
      return Promise.all(signatures.map((signature) => this.verify(signature)));
    }
    const share = Math.min(BATCH_SIZE, Math.ceil(signatures.length / this.size));
    const batches: Promise<SignatureVerdict[]>[] = [];
    for (let from = 0; from < signatures.length; from += share) {
      batches.push(this.leastBusy().verify(signatures.slice(from, from + share)));
    }
    return (await Promise.all(batches)).flat();
  }

  async close(): Promise<void> {
    for (const job of this.queued) job.reject(new Error('the verifier pool is closed'));
    this.queued = [];
    await Promise.all(this.workers.map((worker) => worker.close()));
  }

  private flush(): void {
    const idle = this.workers.every(({ batches }) => batches === 0);
    if (idle && this.queued.length <= DIRECT_UP_TO) {
      for (const job of this.queued) verifyDirectly(job);
      this.queued = [];
      return;
    }
    this.dispatch();
  }

  private dispatch(): void {
    const share = Math.min(BATCH_SIZE, Math.ceil(this.queued.length / this.size));
    let sent = 0;
    while (sent < this.queued.length) {
      const worker = this.leastBusy();
      if (worker.batches >= BATCHES_PER_WORKER) break;
      void answer(this.queued.slice(sent, sent + share), worker);
      sent += share;
    }
    this.queued.splice(0, sent);
  }

  private leastBusy(): PoolWorker {
    let best = this.workers.reduce<PoolWorker | null>(
      (least, worker) => (least && least.batches <= worker.batches ? least : worker),
      null,
    );
    if (!best || (best.batches > 0 && this.workers.length < this.size)) {
      best = new PoolWorker({ warns: this.workers.length === 0 }, () => this.dispatch());
      this.workers.push(best);
    }
    return best;
  }
}

class PoolWorker {
  private readonly thread: WorkerThread<ArrayBuffer, Uint8Array>;
  private readonly onRoom: () => void;

  constructor(workerData: VerifierData, onRoom: () => void) {
    this.thread = new WorkerThread(new URL('verifier-worker.ts', import.meta.url), () => ({
      name: 'verifier',
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    }));
    this.onRoom = onRoom;
  }

  get batches(): number {
    return this.thread.waiting;
  }

  async verify(signatures: readonly SignatureToVerify[]): Promise<SignatureVerdict[]> {
    const batch = packBatch(signatures);
    try {
      const verdicts = await this.thread.ask(batch, [batch]);
      return Array.from(verdicts, (verdict) => VERDICTS[verdict] ?? 'bad-signature');
    } finally {
      this.onRoom();
    }
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}

async function answer(jobs: readonly Job[], worker: PoolWorker): Promise<void> {
  try {
    const verdicts = await worker.verify(jobs.map(({ signature }) => signature));
    for (const [index, { resolve }] of jobs.entries()) resolve(verdicts[index] ?? 'bad-signature');
  } catch (error) {
    for (const { reject } of jobs) reject(error);
  }
}

function packBatch(all: readonly SignatureToVerify[]): ArrayBuffer {
  const bytes = all.reduce((sum, { message }) => sum + message.length, 0);
  const batch = new ArrayBuffer(batchSize(all.length, bytes));
  const { lengths, keys, signatures, newKeys, messages } = batchViews(batch, all.length);
  let at = 0;
  for (const [index, { key, message, signature, isNewKey }] of all.entries()) {
    lengths[index] = message.length;
    keys.set(key, index * 32);
    signatures.set(signature, index * 64);
    newKeys[index] = isNewKey ? 1 : 0;
    messages.set(message, at);
    at += message.length;
  }
  return batch;
}

function verifyDirectly({ signature: job, resolve, reject }: Job): void {
  if (!isStrictSignature(job.signature)) {
    resolve('bad-signature');
    return;
  }
  let key;
  try {
    key = importPublicKey(job.key);
  } catch {
    resolve('bad-signature');
    return;
  }
  verify(null, job.message, key, job.signature, (error, valid) => {
    if (error) reject(error);
    else if (!valid) resolve('bad-signature');
    else resolve(job.isNewKey ? checkPoint(job.key) : 'valid');
  });
}

let pointCheck: Promise<PointCheck> | null = null;

async function checkPoint(key: Uint8Array): Promise<SignatureVerdict> {
  pointCheck ??= loadPointCheck();
  return (await pointCheck)(key) ? 'valid' : 'invalid-key';
}
