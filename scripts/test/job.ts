/**
 * A program at the head of a process group and with a temporary folder of its own. When it ends, so does whatever it started,
 * and what it left running or lying about is reported: a test that does not clean up is a defect.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Processes that have been told to end get this long before they count as left behind. */
const GRACE_MILLISECONDS = 3_000;
const MAX_OUTPUT = 400_000;
/** By this a process is known that has left its group, as one that plays a terminal must. */
const MARK = 'NETD_TEST_JOB';

export interface JobOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Seconds after which it is ended by force. */
  limit: number;
}

export interface JobEnd {
  code: number | null;
  seconds: number;
  /** Seconds of CPU time of it and of what it waited for; null where the system does not say. */
  cpuSeconds: number | null;
  output: string;
  isOutOfTime: boolean;
  /** Processes and files that it did not clean up. */
  left: string[];
}

/** Holds the temporary folders of one run, and every job that runs in it. */
export class JobSite {
  readonly folder = mkdtempSync(join(tmpdir(), 'netd-t-'));
  private readonly running = new Set<Job>();
  private count = 0;

  /** @throws Error where the program cannot be started */
  async run(command: readonly [string, ...string[]], options: JobOptions): Promise<JobEnd> {
    // Short: the path of a Unix socket below it has about a hundred characters.
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

  /** Ends every job by force, and removes what it has written. */
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
      // Not 'close': a process that was left behind may hold its output open.
      this.child.once('exit', resolve);
    }).finally(() => clearTimeout(timer));
    const seconds = (performance.now() - startedAt) / 1_000;
    const cpuSeconds = cpuOfEnded();
    const left = isOutOfTime ? [] : [...(await this.processesLeft()), ...this.filesLeft()];
    this.kill();
    // What is still in the pipes.
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

  /**
   * Those it started and that still run, and what these started, in groups and environments of their own too; only where the system
   * has /proc.
   */
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
    // Before their parents end, by whom they are known.
    const all = this.processes();
    if (pid !== undefined) signal(-pid);
    for (const one of all) signal(one);
  }
}

/** Of children whose end has been counted already, in ticks. */
let ticksCounted = 0;
const TICKS_PER_SECOND = 100;

/** What has been added to the CPU time of this process's children by the end of one of them. */
function cpuOfEnded(): number | null {
  if (!existsSync('/proc/self/stat')) return null;
  // The name of the program, in parentheses, may hold spaces; cutime and cstime are fields 16 and 17.
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

/** Its parent and its group; null where it has ended, or is only waited for. */
function statOf(pid: number): { parent: number; group: number } | null {
  // The name of the program, in parentheses, may hold anything.
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
