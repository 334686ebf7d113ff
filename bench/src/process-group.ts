/** A program at the head of a process group of its own, with a time limit: whatever it started ends with it. */
import { fork, type ChildProcess } from 'node:child_process';

export class ProcessGroup<Message> {
  private readonly leader: ChildProcess;

  /** @param directory where the group may write temporary files */
  constructor(file: string, args: string[], directory: string) {
    this.leader = fork(file, args, {
      detached: true,
      env: { ...process.env, TMPDIR: directory },
    });
  }

  /**
   * The first message of the program; after it, or where none comes in time, the group is ended.
   * @param limit seconds
   * @throws Error where the program ends without a message or takes too long
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

  /** Ends every process of the group by force. */
  end(): void {
    const { pid } = this.leader;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // All of it has ended already.
    }
  }
}

/** For the program itself: the group does not outlive the one who started it, however that one ends. */
export function endGroupWithStarter(): void {
  process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
}
