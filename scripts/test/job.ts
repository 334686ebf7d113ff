/**
 * A program with its own process group and temporary folder. When it ends, its children are killed, and leftover
 * processes and files are reported as a defect.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Time for terminated processes to end before they count as left behind. */
const GRACE_MILLISECONDS = 3_000;
const MAX_OUTPUT = 400_000;
/** Environment variable that identifies processes outside of their group, such as a terminal's. */
const MARK = 'NETD_TEST_JOB';

export interface JobOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Seconds before it is killed. */
  limit: number;
}

export interface JobEnd {
  code: number | null;
  seconds: number;
  /** Seconds of CPU time, awaited children included; null if the system does not report it. */
  cpuSeconds: number | null;
  output: string;
  isOutOfTime: boolean;
  /** Leftover processes and files. */
  left: string[];
}

/** Owns the temporary folders and jobs of one run. */
export class JobSite {
  readonly folder = mkdtempSync(join(tmpdir(), 'netd-t-'));
  private readonly running = new Set<Job>();
  private count = 0;

  /** @throws Error if the program cannot be started */
  async run(command: readonly [string, ...string[]], options: JobOptions): Promise<JobEnd> {
    // Short, because Unix socket paths are limited to about 100 characters.
    const temporary = join(this.folder, String(++this.count));
    mkdirSync(temporary);
    const job = new Job(command, options, temporary);
    this.running.add(job);
    try {
      return await job.ended;
    } finally {
      this.running.delete(job);
      rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** Kills every job and removes its files. */
  close(): void {
    for (const job of this.running) job.kill();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Job {
  readonly ended: Promise<JobEnd>;
  private readonly child: ChildProcess;
  private readonly mark: string;
  private readonly temporary: string;
  private output = '';

  constructor(
    [program, ...args]: readonly [string, ...string[]],
    options: JobOptions,
    temporary: string,
  ) {
    this.temporary = temporary;
    this.mark = temporary;
    this.child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env, TMPDIR: temporary, [MARK]: this.mark },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (part: string) => {
        this.output = (this.output + part).slice(-MAX_OUTPUT);
      });
    }
    this.ended = this.run(options.limit);
  }

  private async run(limit: number): Promise<JobEnd> {
    const startedAt = performance.now();
    let isOutOfTime = false;
    const timer = setTimeout(() => {
      isOutOfTime = true;
      this.kill();
    }, limit * 1_000);
    const code = await new Promise<number | null>((resolve, reject) => {
      this.child.once('error', reject);
      // Not 'close': leftover processes may hold the output open.
      this.child.once('exit', resolve);
    }).finally(() => clearTimeout(timer));
    const seconds = (performance.now() - startedAt) / 1_000;
    const cpuSeconds = cpuOfEnded();
    const left = isOutOfTime ? [] : [...(await this.processesLeft()), ...this.filesLeft()];
    this.kill();
    // Flushes the pipes.
    await pause(0);
    return { code, seconds, cpuSeconds, output: this.output, isOutOfTime, left };
  }

  private async processesLeft(): Promise<string[]> {
    let left = this.processes();
    for (const end = Date.now() + GRACE_MILLISECONDS; left.length > 0 && Date.now() < end;) {
      await pause(50);
      left = this.processes();
    }
    return left.map((pid) => `process ${pid}: ${commandOf(pid)}`);
  }

  private filesLeft(): string[] {
    return existsSync(this.temporary)
      ? readdirSync(this.temporary).map((name) => `in its temporary folder: ${name}`)
      : [];
  }

  /** Returns its live descendants, also in other groups and environments. Needs /proc. */
  private processes(): number[] {
    if (!existsSync('/proc')) return [];
    const pids = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
    const stats = new Map(pids.map((pid) => [pid, statOf(pid)]));
    const isOurs = (pid: number): boolean => {
      const stat = stats.get(pid);
      if (!stat) return false;
      return stat.group === this.child.pid || isMarked(pid, this.mark) || isOurs(stat.parent);
    };
    return pids.filter(isOurs);
  }

  kill(): void {
    const { pid } = this.child;
    // List them before their parents end, which identify them.
    const all = this.processes();
    if (pid !== undefined) signal(-pid);
    for (const one of all) signal(one);
  }
}

/** Ticks of children counted so far. */
let ticksCounted = 0;
const TICKS_PER_SECOND = 100;

/** Returns the CPU time added by children ended since the last call. */
function cpuOfEnded(): number | null {
  if (!existsSync('/proc/self/stat')) return null;
  // The name in parentheses may contain spaces; cutime and cstime are fields 16 and 17.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = Number(fields[13]) + Number(fields[14]);
  const added = ticks - ticksCounted;
  ticksCounted = ticks;
  return added / TICKS_PER_SECOND;
}

const signal = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
};

/** Returns parent and group; null if the process ended or is a zombie. */
function statOf(pid: number): { parent: number; group: number } | null {
  // The name in parentheses may contain anything.
  const [state, parent, group] = readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  if (state === undefined || state === 'Z' || parent === undefined) return null;
  return { parent: Number(parent), group: Number(group) };
}

function isMarked(pid: number, mark: string): boolean {
  return readProc(pid, 'environ').split('\0').includes(`${MARK}=${mark}`);
}

const commandOf = (pid: number): string => readProc(pid, 'cmdline').split('\0').join(' ').trim();

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
