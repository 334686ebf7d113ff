/** A program leading its own process group, with a time limit. Its children end with it. */
import { fork, type ChildProcess } from 'node:child_process';

export class ProcessGroup<Message> {
  private readonly leader: ChildProcess;

  /** @param directory for the group's temporary files */
  constructor(file: string, args: string[], directory: string) {
    this.leader = fork(file, args, {
      detached: true,
      env: { ...process.env, TMPDIR: directory },
    });
  }

  /**
   * Returns the program's first message, then ends the group, also on failure.
   * @param limit seconds
   * @throws Error if the program ends without a message or takes too long
   */
  async message(limit: number): Promise<Message> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Message>((resolve, reject) => {
        this.leader.once('message', (message) => resolve(message as Message));
        this.leader.once('error', reject);
        this.leader.once('exit', (code, signal) => {
          reject(new Error(`it ended without a result (${code ?? signal})`));
        });
        timer = setTimeout(() => reject(new Error(`it took more than ${limit} s`)), limit * 1_000);
      });
    } finally {
      clearTimeout(timer);
      this.end();
    }
  }

  /** Kills every process of the group. */
  end(): void {
    const { pid } = this.leader;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // All have ended already.
    }
  }
}

/** Called by the program: ends its group when its starter ends, however that happens. */
export function endGroupWithStarter(): void {
  process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
}
