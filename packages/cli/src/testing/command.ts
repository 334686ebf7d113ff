/** The command in a process of its own, as a person runs it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const LAUNCHER = fileURLToPath(new URL('../../bin/netd.mjs', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export class Command {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ended>;

  /** Starts Node with the launcher, unless the caller names another program. */
  constructor(
    args: readonly string[],
    home: string,
    [program, ...before]: readonly [string, ...string[]] = [process.execPath, LAUNCHER],
    env: NodeJS.ProcessEnv = {},
  ) {
    this.child = spawn(program, [...before, ...args], {
      cwd: home,
      env: { PATH: process.env['PATH'], HOME: home, ...env },
    });
    this.child.stdout?.setEncoding('utf8').on('data', (part: string) => (this.stdout += part));
    this.child.stderr?.setEncoding('utf8').on('data', (part: string) => (this.stderr += part));
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code) =>
        resolve({ code, stdout: this.stdout, stderr: this.stderr }),
      );
    });
  }

  /** Rejects with the output once the command ends. Race it with a wait that only a running command can end. */
  async lost(): Promise<never> {
    const { code, stdout, stderr } = await this.ended;
    const how = this.child.signalCode ?? `code ${code}`;
    throw new Error(`${this.child.spawnargs.join(' ')} ended with ${how}:\n${stdout}${stderr}`);
  }
}

export interface DevFacts {
  schema: string;
  url: string;
  pid: number;
  chainId: string;
  dataDir: string;
  operatorActorId: string;
  operatorKeyPath: string;
}

/** Starts the node in `<home>/chain`, and waits until it reports its address. */
export async function startDev(
  args: readonly string[],
  home: string,
  start?: readonly [string, ...string[]],
): Promise<[Command, DevFacts]> {
  const command = new Command(args, home, start);
  const file = join(home, 'chain', 'dev.json');
  // Ends a start that hangs, even on a busy machine.
  for (let i = 0; i < 1_800 && command.child.exitCode === null; i++) {
    if (existsSync(file) && command.stdout.includes('Ctrl-C')) {
      return [command, JSON.parse(readFileSync(file, 'utf8')) as DevFacts];
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  command.child.kill('SIGKILL');
  throw new Error(`the node did not start: ${command.stderr}`);
}
