import { fork, type ChildProcess, type Serializable } from 'node:child_process';
import { setPriority } from 'node:os';

export interface ChildOptions<Message> {
  /** The program to run. It must end when its channel to this process closes. */
  entry: URL;
  start: Serializable;
  onMessage: (message: Message) => void;
  /** Called when the process dies. It restarts after `wait` milliseconds. */
  onDeath: (reason: string, wait: number) => void;
  onError?: (text: string) => void;
  /** An exit code after which a restart is useless. */
  final?: { code: number; onEnd: () => void };
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 60_000;
const SOUND_MILLISECONDS = 30_000;
const STOP_MILLISECONDS = 1_500;
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
    // Its output belongs to the log. Don't inherit Node options, such as a debugger's port.
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
      const { final } = this.options;
      if (final?.code === code) {
        final.onEnd();
        return;
      }
      if (performance.now() - startedAt > SOUND_MILLISECONDS) this.wait = FIRST_WAIT;
      this.options.onDeath(reason || (signal ?? `code ${code}`), this.wait);
      this.timer = setTimeout(() => this.start(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    });
    child.send(start, () => {});
  }

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
    // The child has ended, or the system has no priorities.
  }
}
