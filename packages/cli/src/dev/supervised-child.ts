/** A process beside the node that is started again when it dies, and ends with the node however that ends. */
import { fork, type ChildProcess, type Serializable } from 'node:child_process';
import { setPriority } from 'node:os';

export interface ChildOptions<Message> {
  /** The file it runs. It ends when its channel to this process closes. */
  entry: URL;
  /** The first message to each process that is started. */
  start: Serializable;
  onMessage: (message: Message) => void;
  /** Called when the process has died; it is started again after `wait` milliseconds. */
  onDeath: (reason: string, wait: number) => void;
  /** Called with what it writes to standard error. By default it writes there itself, in the form of the log. */
  onError?: (text: string) => void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 60_000;
/** A process that has lived for so long did not die of its start. */
const SOUND_MILLISECONDS = 30_000;
const STOP_MILLISECONDS = 1_500;
/** The niceness of the process: a lower priority than that of the node. */
const NICE = 10;

export class SupervisedChild<Message> {
  private readonly options: ChildOptions<Message>;
  private child: ChildProcess | null = null;
  private wait = FIRST_WAIT;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private stopped = false;

  constructor(options: ChildOptions<Message>) {
    this.options = options;
    this.start();
  }

  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  private start(): void {
    const { entry, start, onMessage, onError } = this.options;
    const startedAt = performance.now();
    // What it prints is for the log; standard output is the terminal's.
    // Options of this process are its own: a debugger's port above all.
    const child = fork(entry, [], {
      stdio: ['ignore', 'ignore', onError ? 'pipe' : 'inherit', 'ipc'],
      execArgv: [],
    });
    this.child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => onError?.(text.trimEnd()));
    let reason = '';
    child.once('spawn', () => {
      if (child.pid !== undefined) setNice(child.pid);
    });
    child.once('error', (error) => (reason = error.message));
    child.on('message', (message) => onMessage(message as Message));
    child.once('exit', (code, signal) => {
      this.child = null;
      if (this.stopped) return;
      if (performance.now() - startedAt > SOUND_MILLISECONDS) this.wait = FIRST_WAIT;
      this.options.onDeath(reason || (signal ?? `code ${code}`), this.wait);
      this.timer = setTimeout(() => this.start(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    });
    child.send(start, () => {});
  }

  /** Closes the channel, waits for the end, and forces it where it does not come. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    const { child } = this;
    if (!child) return;
    const closed = new Promise((resolve) => child.once('exit', resolve));
    if (child.connected) child.disconnect();
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_MILLISECONDS);
    await closed;
    clearTimeout(force);
  }
}

function setNice(pid: number): void {
  try {
    setPriority(pid, NICE);
  } catch {
    // It has ended already, or the system knows no priorities.
  }
}
