/**
 * A laboratory as a child process. It ends with this process in any case, because its standard input closes
 * then. At its end it deletes its data.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { findNetd, NetworkStartError } from './find-netd.ts';

export interface DevFacts {
  url: string;
  chainId: string;
  dataDir: string;
  operatorActorId: string;
  operatorKeyPath: string;
  laboratory: boolean;
  /** File with the secret for laboratory calls; older versions of netd have none. */
  controlPath?: string | null;
  blobs: { url: string }[];
}

export interface LabProcessOptions {
  netd?: string;
  house: boolean;
  args?: readonly string[];
  timeout: number;
}

const MOST_WORDS = 4_000;
const PATIENCE = 30_000;
const POLL_MILLISECONDS = 20;

export class LabProcess {
  readonly facts: DevFacts;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, facts: DevFacts) {
    this.child = child;
    this.facts = facts;
  }

  static async start(options: LabProcessOptions): Promise<LabProcess> {
    const { netd, house, timeout, args: further = [] } = options;
    const program = findNetd(netd);
    const args = ['dev', '--lab', '--temporary', '--json', '--quiet', '--port', '0'];
    const env = Object.fromEntries(
      // These variables configure another node.
      Object.entries(process.env).filter(([name]) => !name.startsWith('NET_')),
    );
    // Prefer a Node installed beside netd, as npm does: the system's may be too old.
    env['PATH'] = `${dirname(program)}${delimiter}${process.env['PATH'] ?? ''}`;
    const child = spawn(program, [...args, ...further, '--house', house ? 'staffed' : 'none'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env,
    });
    const deadline = Date.now() + timeout;
    try {
      const facts = await firstLine(child, timeout);
      // A test that forgets to stop the laboratory must still be able to end.
      for (const part of [child, child.stdin, child.stdout, child.stderr]) {
        (part as { unref?: () => void } | null)?.unref?.();
      }
      const lab = new LabProcess(child, facts);
      if (house) await lab.untilStores(deadline);
      return lab;
    } catch (error) {
      await end(child);
      throw error;
    }
  }

  private async untilStores(deadline: number): Promise<void> {
    const path = join(this.facts.dataDir, 'dev.json');
    while (this.facts.blobs.length === 0) {
      if (Date.now() > deadline || this.child.exitCode !== null) {
        throw new NetworkStartError('the agents of the house have not started');
      }
      await after(POLL_MILLISECONDS);
      if (!existsSync(path)) continue;
      const { blobs } = JSON.parse(readFileSync(path, 'utf8')) as DevFacts;
      this.facts.blobs.push(...blobs);
    }
  }

  /** Resolves when the process has ended and deleted its data. */
  async stop(): Promise<void> {
    const { child, facts } = this;
    await end(child);
    rmSync(facts.dataDir, { recursive: true, force: true });
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end();
  const killing = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
  await gone;
  clearTimeout(killing);
}

async function firstLine(child: ChildProcess, timeout: number): Promise<DevFacts> {
  let said = '';
  let errors = '';
  child.stderr?.on('data', (part: Buffer) => {
    errors = (errors + part.toString()).slice(-MOST_WORDS);
  });
  return new Promise<DevFacts>((resolve, reject) => {
    const fail = (what: string, code: string | null = null): void => {
      clearTimeout(timer);
      const words = errors.trim() || said.trim().slice(0, MOST_WORDS);
      reject(new NetworkStartError(words === '' ? what : `${what}: ${words}`, code));
    };
    const timer = setTimeout(() => fail(`netd has not started within ${timeout} ms`), timeout);
    child.once('error', (error) => fail(`netd could not be started, ${error.message}`));
    child.once('close', (code) => {
      const what = `netd ended with ${code ?? 'a signal'}`;
      const refusal = jsonIn(said) as { title?: string; code?: string } | null;
      if (typeof refusal?.title !== 'string') return fail(what);
      said = refusal.title;
      return fail(what, refusal.code ?? null);
    });
    child.stdout?.on('data', (part: Buffer) => {
      said += part.toString();
      const lineEnd = said.indexOf('\n');
      const facts = lineEnd < 0 ? null : (jsonIn(said.slice(0, lineEnd)) as DevFacts | null);
      // A refusal has several lines. Read it when the process ends.
      if (typeof facts?.url !== 'string') return;
      clearTimeout(timer);
      child.removeAllListeners('close');
      child.stdout?.removeAllListeners('data').resume();
      resolve(facts);
    });
  });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
