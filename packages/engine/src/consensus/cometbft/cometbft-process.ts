import { spawn, type ChildProcess } from 'node:child_process';

const STOP_MILLISECONDS = 5_000;
/** Characters of output kept for the report when the process ends. */
const LAST_WORDS = 4_096;
/** A log line may contain a block. */
const LONGEST_LINE = 1_000_000;

export type ProcessEnd = { wanted: boolean; sentence: string };

export class CometbftProcess {
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

  static start(
    binary: string,
    homePath: string,
    onLine: (line: string) => void = () => {},
  ): CometbftProcess {
    // The child stays in this process group, so that Ctrl-C reaches it too.
    const child = spawn(binary, ['start', '--home', homePath], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new CometbftProcess(child, onLine);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

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

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private lastWords(): string {
    const line = this.said
      .trim()
      .split('\n')
      .findLast((each) => /^E\[|panic|Error/.test(each));
    return line === undefined ? '' : `: ${line.replace(/ stack=".*$/, '').slice(0, 500)}`;
  }
}
