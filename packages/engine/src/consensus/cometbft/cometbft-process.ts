/** One CometBFT beside this process: started, watched, stopped. */
import { spawn, type ChildProcess } from 'node:child_process';

/** How long it may take to end by itself. */
const STOP_MILLISECONDS = 5_000;
/** What it said last is reported with its end. */
const LAST_WORDS = 4_096;
/** Characters of a line of its log, which may hold a block. */
const LONGEST_LINE = 1_000_000;

/** How it ended, in a sentence. */
export type ProcessEnd = { wanted: boolean; sentence: string };

export class CometbftProcess {
  /** Resolves when it has ended, however. */
  readonly ended: Promise<ProcessEnd>;
  private readonly child: ChildProcess;
  private stopping = false;
  private said = '';

  private constructor(child: ChildProcess, onLine: (line: string) => void) {
    this.child = child;
    let rest = '';
    const note = (chunk: Buffer): void => {
      const text = chunk.toString('utf8');
      this.said = (this.said + text).slice(-LAST_WORDS);
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(-LONGEST_LINE);
      for (const line of lines) onLine(line);
    };
    child.stdout?.on('data', note);
    child.stderr?.on('data', note);
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => resolve({ wanted: false, sentence: error.message }));
      child.once('close', (code, signal) =>
        resolve({
          wanted: this.stopping,
          sentence: `CometBFT ended (${signal ?? `exit ${code}`})${this.lastWords()}`,
        }),
      );
    });
  }

  /** @param onLine told each line of what it says: of its log those of errors, and what it says when it panics */
  static start(
    binary: string,
    homePath: string,
    onLine: (line: string) => void = () => {},
  ): CometbftProcess {
    // In the group of this process, so that a terminal's Ctrl-C reaches it, too.
    const child = spawn(binary, ['start', '--home', homePath], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new CometbftProcess(child, onLine);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Asks it to end, and ends it if it does not. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.child.kill('SIGTERM');
    const late = setTimeout(() => this.child.kill('SIGKILL'), STOP_MILLISECONDS);
    await this.ended;
    clearTimeout(late);
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private lastWords(): string {
    const line = this.said
      .trim()
      .split('\n')
      .findLast((each) => /^E\[|panic|Error/.test(each));
    // The stack of a Go program says nothing to an operator.
    return line === undefined ? '' : `: ${line.replace(/ stack=".*$/, '').slice(0, 500)}`;
  }
}
