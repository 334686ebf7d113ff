/**
 * A thread that starts with the first message. If it fails, its pending messages are rejected, and the next
 * message starts a new thread.
 */
import { Worker, type Transferable, type WorkerOptions } from 'node:worker_threads';

interface Asked<Answer> {
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

type NamedOptions = WorkerOptions & { name: string };

/** With `--input-type` (for `--eval`), threads would refuse their own file, so they get no flags. */
export const FLAGS: WorkerOptions = process.execArgv.some((flag) => flag.startsWith('--input-type'))
  ? { execArgv: [] }
  : {};

export class WorkerThread<Message, Answer> {
  private readonly file: URL;
  private readonly options: () => NamedOptions;
  private worker: Worker | null = null;
  private asked: Asked<Answer>[] = [];
  /** The thread that `close` waits for. */
  private closing: Worker | null = null;

  /**
   * @param file a module that posts one answer per message, and closes its port on null
   * @param options called for each new thread; operators and benchmarks see its `name`
   */
  constructor(file: URL, options: () => NamedOptions) {
    this.file = file;
    this.options = options;
  }

  get waiting(): number {
    return this.asked.length;
  }

  ask(message: Message, transferred: readonly Transferable[] = []): Promise<Answer> {
    const worker = this.started();
    return new Promise((resolve, reject) => {
      worker.postMessage(message, transferred);
      worker.ref();
      this.asked.push({ resolve, reject });
    });
  }

  /** Asks the thread to end. Terminating it in native code would crash the process. */
  async close(): Promise<void> {
    const { worker } = this;
    if (!worker) return;
    this.closing = worker;
    // Not `once` of node:events, which rejects if the thread fails; its messages are rejected already.
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    worker.postMessage(null, []);
    await ended;
  }

  private started(): Worker {
    if (this.worker) return this.worker;
    const options = this.options();
    const worker = new Worker(this.file, { ...FLAGS, ...options });
    worker.on('message', (answer: Answer) => {
      this.asked.shift()?.resolve(answer);
      // An idle thread does not keep the process alive, unless `close` waits for it.
      if (this.asked.length === 0 && this.closing !== worker) worker.unref();
    });
    const fail = (error: unknown): void => {
      // If a newer thread has replaced this one, its messages are not lost.
      if (this.worker !== worker) return;
      this.worker = null;
      const { asked } = this;
      this.asked = [];
      for (const { reject } of asked) reject(error);
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error(`the thread ${options.name} has ended`)));
    this.worker = worker;
    return worker;
  }
}
