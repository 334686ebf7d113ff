/**
 * A consensus engine in a thread of its own, with a store of its own on the same database: its start, its end, and the order
 * of what it tells. What is told is a matter of the engine; engine-worker.ts is the other end.
 */
import { Worker } from 'node:worker_threads';
import { awaitLeaving, makeGate, shutGate, type Gate } from '../../database-gate.ts';
import { FLAGS } from '../../worker-thread.ts';

/** What every engine's thread starts with, beside what is its own. */
export interface EngineData {
  gate: Gate;
}

/** Told by every engine's thread beside what is its own. */
export type ToEngine =
  /** Finish what is under way, then end. */
  | { is: 'stop' }
  /** The process exits: leave the database. */
  | { is: 'exit' };

export interface EngineThreadOptions<FromEngine> {
  /** The module of the thread. */
  file: URL;
  /** Threads are seen by their names, by operators and by the benchmarks. */
  name: string;
  /** MB of its heap for what is short-lived: V8 by itself would keep 130. Fewer are collected more often. */
  youngMegabytes: number;
  /** Does what the thread has told; what it told next waits for that. */
  take: (message: FromEngine) => Promise<void> | void;
  /**
   * It goes no further, for whatever reason.
   * @param failure null where it was told to stop
   */
  onEnd: (failure: { error: unknown } | null) => void;
}

/**
 * Of the thread's heap, in MB: more than what waits for it can come to. V8 by itself would let it grow fourfold before it looks
 * for garbage; below 2 GB that is twofold.
 */
const OLD_MEGABYTES = 1_984;

/** Those that run. */
const threads = new Set<{ leaveDatabase: () => void }>();
process.on('exit', () => {
  for (const thread of threads) thread.leaveDatabase();
});

export class EngineThread<To extends object, From> {
  private readonly options: EngineThreadOptions<From>;
  private readonly gate = makeGate();
  private worker: Worker | null = null;
  /** Done when the thread is gone. */
  private readonly gone = Promise.withResolvers<void>();
  /** Done when everything is that the thread has told of. */
  private told: Promise<void> = Promise.resolve();
  private state: 'running' | 'stopping' | 'ended' = 'running';

  constructor(options: EngineThreadOptions<From>) {
    this.options = options;
  }

  /** @param data what the thread starts with, which can cross to it */
  start(data: object): void {
    const { file, name, youngMegabytes, take } = this.options;
    const workerData: EngineData = { ...data, gate: this.gate };
    const resourceLimits = {
      maxYoungGenerationSizeMb: youngMegabytes,
      maxOldGenerationSizeMb: OLD_MEGABYTES,
    };
    this.worker = new Worker(file, { name, workerData, resourceLimits, ...FLAGS });
    this.worker.on('message', (message: From) => this.next(() => take(message)));
    this.worker.on('error', (error) => this.next(() => this.end(error)));
    this.worker.on('exit', () => {
      threads.delete(this);
      this.next(() => this.end(new Error(`the thread ${name} has ended`)));
      this.next(() => this.gone.resolve());
    });
    threads.add(this);
  }

  get hasStarted(): boolean {
    return this.worker !== null;
  }

  get hasEnded(): boolean {
    return this.state === 'ended';
  }

  tell(message: To | ToEngine): void {
    this.worker?.postMessage(message, []);
  }

  /**
   * Resolves when the thread is gone, and everything is done that it has told of.
   * @param isAwaited whether somebody waits for what it has been told; else it need not begin where it has not yet
   */
  async stop(isAwaited: boolean): Promise<void> {
    if (this.state === 'running') {
      this.state = 'stopping';
      this.tell({ is: 'stop' });
    }
    if (!this.worker) return;
    // It has not got as far as the database.
    if (!isAwaited && shutGate(this.gate)) await this.worker.terminate();
    await this.gone.promise;
  }

  /** The thread goes no further. */
  end(error: unknown): void {
    const { state } = this;
    if (state === 'ended') return;
    this.state = 'ended';
    this.options.onEnd(state === 'running' ? { error } : null);
    // It has told what it had to tell, and is to leave the database in order.
    if (state === 'running') this.tell({ is: 'stop' });
  }

  /** Before the process ends its threads. */
  leaveDatabase(): void {
    if (shutGate(this.gate)) return;
    this.tell({ is: 'exit' });
    awaitLeaving(this.gate);
  }

  /** Does what the thread has told next, when what it told before is done. Where that throws, the thread goes no further. */
  private next(work: () => Promise<void> | void): void {
    this.told = this.told.then(work).catch((error: unknown) => this.end(error));
  }
}
