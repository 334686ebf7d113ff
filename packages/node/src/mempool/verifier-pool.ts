/**
 * Signature verification off the main thread. What arrives in one turn of the event loop travels as one message to
 * one of a few worker threads; a handful of signatures is not worth the trip and goes to the native thread pool.
 */
import { verify } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { isStrictSignature, validatePoint } from '@netd/protocol';
import { importPublicKey } from '@netd/protocol/native';
import {
  BAD_SIGNATURE,
  INVALID_KEY,
  VALID,
  type VerificationAnswer,
  type VerificationBatch,
} from './verifier-worker.ts';

export interface SignatureToVerify {
  /** 32 bytes. */
  key: Uint8Array;
  message: Uint8Array;
  /** 64 bytes. */
  signature: Uint8Array;
  /** Whether the key is to be registered: then its point is checked too, which takes a millisecond. */
  isNewKey: boolean;
}

export type SignatureVerdict = 'valid' | 'bad-signature' | 'invalid-key';

interface Job {
  signature: SignatureToVerify;
  resolve: (verdict: SignatureVerdict) => void;
  reject: (error: unknown) => void;
}

/** Up to so many in one turn are verified without a worker. */
const DIRECT_UP_TO = 8;
const BATCH_SIZE = 96;

const VERDICTS: Record<number, SignatureVerdict> = {
  [BAD_SIGNATURE]: 'bad-signature',
  [VALID]: 'valid',
  [INVALID_KEY]: 'invalid-key',
};

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

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
  }

  private flush(): void {
    const jobs = this.queued;
    this.queued = [];
    if (jobs.length <= DIRECT_UP_TO) {
      for (const job of jobs) verifyDirectly(job);
      return;
    }
    const share = Math.min(BATCH_SIZE, Math.ceil(jobs.length / this.size));
    for (let at = 0; at < jobs.length; at += share) {
      this.leastBusy().send(jobs.slice(at, at + share));
    }
  }

  /** Workers start when there is work for them. */
  private leastBusy(): PoolWorker {
    let best = this.workers.reduce<PoolWorker | null>(
      (least, worker) => (least && least.pending <= worker.pending ? least : worker),
      null,
    );
    if (!best || (best.pending > 0 && this.workers.length < this.size)) {
      best = new PoolWorker();
      this.workers.push(best);
    }
    return best;
  }
}

class PoolWorker {
  /** Signatures that have been sent and not been answered. */
  pending = 0;
  private worker: Worker | null = null;
  private nextId = 0;
  private readonly batches = new Map<number, Job[]>();

  send(jobs: Job[]): void {
    const id = this.nextId++;
    this.batches.set(id, jobs);
    this.pending += jobs.length;
    const batch = packBatch(id, jobs);
    const worker = this.started();
    worker.ref();
    worker.postMessage(batch, [
      batch.keys.buffer as ArrayBuffer,
      batch.signatures.buffer as ArrayBuffer,
      batch.messages.buffer as ArrayBuffer,
      batch.lengths.buffer as ArrayBuffer,
      batch.newKeys.buffer as ArrayBuffer,
    ]);
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private started(): Worker {
    if (this.worker) return this.worker;
    // Threads are seen by their names: by operators, and by the benchmarks.
    const worker = new Worker(new URL('verifier-worker.ts', import.meta.url), { name: 'verifier' });
    worker.on('message', ({ id, verdicts }: VerificationAnswer) => {
      const jobs = this.batches.get(id) ?? [];
      this.batches.delete(id);
      this.pending -= jobs.length;
      // A process lives as long as it waits for verdicts, and no longer: nobody has to have closed the pool.
      if (this.pending === 0) worker.unref();
      for (const [index, job] of jobs.entries()) {
        job.resolve(VERDICTS[verdicts[index] ?? BAD_SIGNATURE] ?? 'bad-signature');
      }
    });
    const fail = (error: unknown): void => {
      // The next batch gets a fresh thread.
      if (this.worker === worker) this.worker = null;
      for (const jobs of this.batches.values()) for (const job of jobs) job.reject(error);
      this.batches.clear();
      this.pending = 0;
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('a verifier thread has ended')));
    this.worker = worker;
    return worker;
  }
}

function packBatch(id: number, jobs: Job[]): VerificationBatch {
  const lengths = Uint32Array.from(jobs, ({ signature }) => signature.message.length);
  const keys = new Uint8Array(jobs.length * 32);
  const signatures = new Uint8Array(jobs.length * 64);
  const messages = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  const newKeys = new Uint8Array(jobs.length);
  let at = 0;
  for (const [index, { signature: job }] of jobs.entries()) {
    keys.set(job.key, index * 32);
    signatures.set(job.signature, index * 64);
    messages.set(job.message, at);
    at += job.message.length;
    newKeys[index] = job.isNewKey ? 1 : 0;
  }
  return { id, keys, signatures, messages, lengths, newKeys };
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
    // 32 bytes that OpenSSL will not take as a key verify nothing.
    resolve('bad-signature');
    return;
  }
  verify(null, job.message, key, job.signature, (error, valid) => {
    if (error) reject(error);
    else if (!valid) resolve('bad-signature');
    else resolve(job.isNewKey && validatePoint(job.key) !== null ? 'invalid-key' : 'valid');
  });
}
