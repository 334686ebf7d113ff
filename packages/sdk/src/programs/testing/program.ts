/** A program in a process of its own, and its output. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { until } from '@netd/protocol/testing';

export interface Start {
  command: readonly [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  /** Address to request repeatedly, because this program runs only for requests and alarms. */
  wakeAt?: string;
}

export interface End {
  code: number | null;
  signal: string | null;
  output: string;
}

const WAKE_PAUSE = 100;

export class Program {
  readonly ended: Promise<End>;
  output = '';
  private readonly child: ChildProcess;

  constructor({ command: [file, ...args], cwd, env, wakeAt }: Start) {
    this.child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => (this.output += part));
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (code, signal) => resolve({ code, signal, output: this.output }));
    });
    if (wakeAt === undefined) return;
    const timer = setInterval(() => void fetch(wakeAt).catch(() => {}), WAKE_PAUSE);
    this.child.once('exit', () => clearInterval(timer));
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Waits for a text in the output. Fails if the program ends without it. */
  async says(text: string): Promise<void> {
    await until(() => {
      if (this.output.includes(text)) return true;
      assert.ok(!this.hasEnded, `it ended without "${text}":\n${this.output}`);
      return false;
    });
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<End> {
    this.child.kill(signal);
    return this.ended;
  }
}
