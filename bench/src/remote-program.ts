/**
 * A bench program in its own process, called over IPC. Calls have a time limit, and the program ends with its
 * starter.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program's functions by name. */
export type Calls = Record<string, (argument: never) => unknown>;

interface Call {
  id: number;
  name: string;
  argument: unknown;
}

type Reply = { id: number; result: unknown } | { id: number; error: string };

interface Pending {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

const STOP_MILLISECONDS = 20_000;

export class RemoteProgram<Program extends Calls> {
  private readonly child: ChildProcess;
  private readonly pending = new Map<number, Pending>();
  private readonly ended: Promise<unknown>;
  private nextId = 0;

  constructor(file: URL, execArgv: string[] = []) {
    this.child = fork(fileURLToPath(file), {
      execArgv,
      // Strings and buffers are not converted to JSON.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.ended = once(this.child, 'exit');
    this.child.on('message', (reply: Reply) => {
      const call = this.pending.get(reply.id);
      this.pending.delete(reply.id);
      if ('error' in reply) call?.reject(new Error(reply.error));
      else call?.resolve(reply.result as never);
    });
    this.child.on('exit', (code, signal) => {
      for (const { reject } of this.pending.values()) {
        reject(new Error(`${file.pathname} ended with ${code ?? signal}`));
      }
      this.pending.clear();
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** @param limit seconds to wait for the answer */
  async call<Name extends keyof Program & string>(
    name: Name,
    argument: Parameters<Program[Name]>[0],
    limit = 60,
  ): Promise<Awaited<ReturnType<Program[Name]>>> {
    const call: Call = { id: this.nextId++, name, argument };
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Awaited<ReturnType<Program[Name]>>>((resolve, reject) => {
        this.pending.set(call.id, { resolve, reject });
        timer = setTimeout(
          () => reject(new Error(`${name} took more than ${limit} s`)),
          limit * 1_000,
        );
        this.child.send(call);
      });
    } finally {
      clearTimeout(timer);
      this.pending.delete(call.id);
    }
  }

  /** Lets the program exit, or kills it. */
  async stop(): Promise<void> {
    if (this.child.connected) this.child.disconnect();
    const timeout = new AbortController();
    const late = sleep(STOP_MILLISECONDS, null, { signal: timeout.signal }).then(
      () => this.child.kill('SIGKILL'),
      () => false,
    );
    if (this.child.exitCode === null && this.child.signalCode === null) {
      await Promise.race([this.ended, late]);
      await this.ended;
    }
    timeout.abort();
  }
}

/**
 * Answers calls in the program.
 * @param onEnd cleans up after the last call
 */
export function answerCalls(calls: Calls, onEnd: () => Promise<void> = async () => {}): void {
  const reply = (message: Reply): void => {
    // The caller may have ended.
    process.send?.(message, undefined, undefined, () => {});
  };
  process.on('message', ({ id, name, argument }: Call) => {
    void answer(calls, name, argument).then(
      (result) => reply({ id, result }),
      (error: unknown) => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        reply({ id, error: text });
      },
    );
  });
  process.once('disconnect', () => {
    void onEnd().finally(() => process.exit());
  });
}

async function answer(calls: Calls, name: string, argument: unknown): Promise<unknown> {
  return calls[name]?.(argument as never);
}
