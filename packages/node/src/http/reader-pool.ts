/**
 * Reads too large for the thread of the ledger: a few threads do them on the same memory-mapped database, in the order in
 * which they come. Whoever finds too many waiting is turned away; light reads and writes never wait for any of them.
 */
import { availableParallelism } from 'node:os';
import { ApiError } from '../chain/api-error.ts';
import { WorkerThread } from '../worker-thread.ts';
import type { EncodedContent } from './encoded-document.ts';
import type { HttpLimits } from './limits.ts';
import { makeGate, shutGate, type Gate } from './reader-gate.ts';
import type { ReadAnswer, ReaderData, ReadRequest } from './reader-worker.ts';

type Reader = WorkerThread<ReadRequest, ReadAnswer>;

export class ReaderPool {
  private readonly path: string;
  private readonly readers: Reader[] = [];
  private readonly gates: Gate[] = [];
  private readonly onExit = (): void => this.gates.forEach(shutGate);
  private readonly size: number;
  private readonly limits: Pick<HttpLimits, 'waitingReads'>;

  /** @param path of the database */
  constructor(path: string, limits: Pick<HttpLimits, 'waitingReads'>) {
    this.path = path;
    this.limits = limits;
    this.size = Math.max(1, Math.floor(availableParallelism() / 2));
  }

  /** Reads that were taken and have not been answered. */
  get waiting(): number {
    return this.readers.reduce((sum, reader) => sum + reader.waiting, 0);
  }

  /**
   * Does a read at the newest height there is.
   * @throws ApiError as the read does, OVERLOADED where too many wait already
   */
  async read(request: ReadRequest): Promise<{ height: number; content: EncodedContent }> {
    if (this.waiting >= this.limits.waitingReads)
      throw new ApiError('OVERLOADED', { retryAfter: 1 });
    const answer = await this.leastBusy().ask(request);
    if (answer.status === 'refused') throw new ApiError(answer.code, answer.data);
    if (answer.status === 'failed') throw answer.error;
    return answer;
  }

  /** Resolves when what was taken has been answered and the threads are gone. */
  async close(): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.close()));
    process.off('exit', this.onExit);
  }

  /** Threads start when there is work for them. */
  private leastBusy(): Reader {
    const best = this.readers.toSorted((a, b) => a.waiting - b.waiting)[0];
    if (best && (best.waiting === 0 || this.readers.length === this.size)) return best;
    if (this.readers.length === 0) process.on('exit', this.onExit);
    const gate = makeGate();
    const data: ReaderData = { path: this.path, gate };
    const reader: Reader = new WorkerThread(new URL('reader-worker.ts', import.meta.url), {
      name: 'reader',
      workerData: data,
    });
    this.gates.push(gate);
    this.readers.push(reader);
    return reader;
  }
}
