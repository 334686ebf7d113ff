/**
 * Runs large reads in threads. Addresses take turns. If too many reads queue, the newest of the address with
 * the most is refused.
 */
import { availableParallelism } from 'node:os';
import { newestOfLargest } from '@netd/client-limits';
import { ApiError, awaitLeaving, type Gate, makeGate, shutGate, WorkerThread } from '@netd/engine';
import type { EncodedContent } from './encoded-document.ts';
import type { HttpLimits } from './limits.ts';
import type { ReadAnswer, ReaderData, ReadRequest } from './reader-worker.ts';

export interface MadeContent {
  height: number;
  content: EncodedContent;
}

interface Asker {
  share?: string;
  signal?: AbortSignal;
}

interface Waiting {
  request: ReadRequest;
  share: string;
  resolve: (made: MadeContent) => void;
  reject: (error: unknown) => void;
  failures: number;
}

interface Reader {
  thread: WorkerThread<ReadRequest, ReadAnswer>;
  /** Null if there is no gate. A thread that dies inside the database leaves its gate shut. */
  gate: Gate | null;
}

/** A read that has ended its thread this often counts as the cause. */
const MOST_FAILURES = 2;
const WORKER = new URL('reader-worker.ts', import.meta.url);

export class ReadAbandonedError extends Error {
  override name = 'ReadAbandonedError';
}

export class ReaderPool {
  private readonly path: string;
  private readonly limits: Pick<HttpLimits, 'waitingReads'>;
  private readonly worker: URL;
  private readonly size: number;
  private readonly readers: Reader[] = [];
  private readonly queues = new Map<string, Waiting[]>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly onExit = (): void => {
    for (const { gate } of this.readers) if (gate && !shutGate(gate)) awaitLeaving(gate);
  };

  constructor(path: string, limits: Pick<HttpLimits, 'waitingReads'>, worker = WORKER) {
    this.path = path;
    this.limits = limits;
    this.worker = worker;
    this.size = Math.max(1, Math.floor(availableParallelism() / 2));
  }

  get waiting(): number {
    return this.queued + this.underWay.size;
  }

  /**
   * Reads at the newest height.
   * @throws the read's ApiError, OVERLOADED if too many queue, ReadAbandonedError
   */
  read(request: ReadRequest, { share = '', signal }: Asker = {}): Promise<MadeContent> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) throw new ReadAbandonedError();
      if (this.waiting >= this.limits.waitingReads && !this.makeRoomFor(share)) throw overloaded();
      const waiting: Waiting = { request, share, resolve, reject, failures: 0 };
      this.enqueue(waiting);
      signal?.addEventListener('abort', () => this.abandon(waiting), { once: true });
      this.startWork();
    });
  }

  async close(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
    await Promise.all(this.readers.map(({ thread }) => thread.close()));
    process.off('exit', this.onExit);
  }

  private get queued(): number {
    let sum = 0;
    for (const { length } of this.queues.values()) sum += length;
    return sum;
  }

  private enqueue(waiting: Waiting): void {
    const queue = this.queues.get(waiting.share);
    if (queue) queue.push(waiting);
    else this.queues.set(waiting.share, [waiting]);
  }

  private makeRoomFor(share: string): boolean {
    const mine = this.queues.get(share)?.length ?? 0;
    const found = newestOfLargest(this.queues, mine + 1);
    if (!found) return false;
    this.queues.get(found.share)?.pop();
    found.newest.reject(overloaded());
    return true;
  }

  private abandon(waiting: Waiting): void {
    const queue = this.queues.get(waiting.share) ?? [];
    const index = queue.indexOf(waiting);
    // The read is running. Let it finish, because its result can be cached.
    if (index === -1) return;
    queue.splice(index, 1);
    if (queue.length === 0) this.queues.delete(waiting.share);
    waiting.reject(new ReadAbandonedError());
  }

  private next(): Waiting | undefined {
    const [first] = this.queues;
    if (!first) return undefined;
    const [share, queue] = first;
    const waiting = queue.shift();
    this.queues.delete(share);
    if (queue.length > 0) this.queues.set(share, queue);
    return waiting;
  }

  private startWork(): void {
    for (let reader = this.idle(); reader; reader = this.idle()) {
      const waiting = this.next();
      if (!waiting) return;
      const work = this.work(reader, waiting).finally(() => {
        this.underWay.delete(work);
        this.startWork();
      });
      this.underWay.add(work);
    }
  }

  private async work({ thread }: Reader, waiting: Waiting): Promise<void> {
    const { request, resolve, reject } = waiting;
    try {
      const answer = await thread.ask(request);
      if (answer.status === 'made') resolve(answer);
      else reject(answer.status === 'failed' ? answer.error : refusalOf(answer));
    } catch (error) {
      if (++waiting.failures >= MOST_FAILURES) reject(error);
      else this.enqueue(waiting);
    }
  }

  private idle(): Reader | undefined {
    const idle = this.readers.find(({ thread }) => thread.waiting === 0);
    if (idle || this.readers.length === this.size || this.queues.size === 0) return idle;
    if (this.readers.length === 0) process.on('exit', this.onExit);
    const reader: Reader = {
      gate: null,
      thread: new WorkerThread(this.worker, () => {
        reader.gate = makeGate();
        const workerData: ReaderData = { path: this.path, gate: reader.gate };
        return { name: 'reader', workerData };
      }),
    };
    this.readers.push(reader);
    return reader;
  }
}

const overloaded = (): ApiError => new ApiError('OVERLOADED', { retryAfter: 1 });

const refusalOf = ({ code, data }: Extract<ReadAnswer, { status: 'refused' }>): ApiError =>
  new ApiError(code, data);
