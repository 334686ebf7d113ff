/**
 * A thread of its own for work that would hold up the event loop: it answers messages in the order in which they come. It
 * starts with the first of them. Where it fails, what it had is refused and the next message gets a fresh one.
 */
import { Worker, type Transferable, type WorkerOptions } from 'node:worker_threads';

interface Asked<Answer> {
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

type NamedOptions = WorkerOptions & { name: string };

/**
 * Threads take over the flags of their process, as Node has it. Where it runs a text (`--eval` with `--input-type`), that flag
 * would have them refuse their own file: none then.
 */
export const FLAGS: WorkerOptions = process.execArgv.some((flag) => flag.startsWith('--input-type'))
  ? { execArgv: [] }
  : {};

export class WorkerThread<Message, Answer> {
  private readonly file: URL;
  private readonly options: () => NamedOptions;
  private worker: Worker | null = null;
  private asked: Asked<Answer>[] = [];
  /** The thread whose end `close` awaits. It keeps the process alive until then. */
  private closing: Worker | null = null;

  /**
   * @param file a module that posts one answer for every message, and closes its port when it is told null
   * @param options asked for by every thread that starts, with a name: threads are seen by theirs, by operators and by the
   *   benchmarks
   */
  constructor(file: URL, options: () => NamedOptions) {
    this.file = file;
    this.options = options;
  }

  /** Messages that have not been answered. */
  get waiting(): number {
    return this.asked.length;
  }

  /** Rejects where the thread fails before it has answered. */
  ask(message: Message, transferred: readonly Transferable[] = []): Promise<Answer> {
    const worker = this.started();
    return new Promise((resolve, reject) => {
      worker.postMessage(message, transferred);
      worker.ref();
      this.asked.push({ resolve, reject });
    });
  }

  /**
   * Resolves when the thread has answered what it had and is gone. It is never ended by force: native code that is under
   * way then takes the whole process with it.
   */
  async close(): Promise<void> {
    const { worker } = this;
    if (!worker) return;
    this.closing = worker;
    // Not `once` of node:events, which rejects if the thread fails: its questions are rejected already.
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
      // An idle thread doesn't keep the process alive, so nobody has to close it.
      // A thread that is being closed does: without it the process would end before `close` has resolved.
      if (this.asked.length === 0 && this.closing !== worker) worker.unref();
    });
    const fail = (error: unknown): void => {
      // Another thread may have taken its place already, and what is under way there is not lost.
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
