/** `netd dev` as a process that can be measured and killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@netd/testkit/free-port';
import { getRequest, HttpConnection, ConnectionError } from './http-connection.ts';

export const NETD = fileURLToPath(new URL('../../packages/cli/bin/netd.mjs', import.meta.url));
const START_MILLISECONDS = 60_000;
const STOP_MILLISECONDS = 30_000;
const POLL_MILLISECONDS = 4;

export interface ServerProcess {
  pid: number;
  port: number;
  /** Milliseconds from process start to first answer. */
  startTime: number;
  /** Sends the signal and waits for the end; kills the process if that takes too long. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** How to start a server. */
export interface StartWay {
  /** Additional environment variables. */
  environment?: Record<string, string>;
  /** A wrapper command, to set a limit or another view of the disk. */
  through?: readonly string[];
  /** Standard error; default the terminal. */
  errors?: 'inherit' | 'ignore';
  /** A path that answers 200 once it is up; default `/livez`. */
  path?: string;
  /** Milliseconds between blocks; default the node's. */
  blockTime?: number;
  /** The program that runs the file; default this Node. */
  program?: string;
  /** Milliseconds until its first answer; default a minute. */
  patience?: number;
}

/** Starts a node on an existing or new chain and waits until it answers. */
export function startNetd(dataDir: string, way: StartWay = {}): Promise<ServerProcess> {
  return startServer((port) => {
    const options = ['--port', String(port), '--data-dir', dataDir];
    const { blockTime } = way;
    const pace = blockTime === undefined ? [] : ['--block-time', String(blockTime)];
    return [NETD, 'dev', ...options, ...pace, '--house', 'none', '--quiet'];
  }, way);
}

/** Starts a new or existing follower of a node. */
export function startFollower(dataDir: string, origin: string): Promise<ServerProcess> {
  const command = (port: number): string[] => {
    const options = ['--port', String(port), '--data-dir', dataDir];
    return [NETD, 'follow', origin, ...options];
  };
  // It is live immediately, but ready only with a state.
  return startServer(command, { path: '/readyz' });
}

/**
 * Starts a server and waits until it answers a GET of the path.
 * @param commandFor returns file and arguments for a port
 */
export async function startServer(
  commandFor: (port: number) => string[],
  {
    environment = {},
    through = [],
    errors = 'inherit',
    path = '/livez',
    program = process.execPath,
    patience = START_MILLISECONDS,
  }: StartWay = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const startedAt = performance.now();
  const [command = program, ...args] = [...through, program, ...commandFor(port)];
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', errors],
    env: { ...process.env, ...environment },
  });
  const server: ServerProcess = {
    pid: child.pid ?? 0,
    port,
    startTime: 0,
    kill: (signal) => end(child, signal),
  };
  try {
    await firstAnswer(port, child, { path, patience });
  } catch (error) {
    await end(child, 'SIGKILL');
    throw error;
  }
  return { ...server, startTime: performance.now() - startedAt };
}

async function firstAnswer(
  port: number,
  child: ChildProcess,
  { path, patience }: { path: string; patience: number },
): Promise<void> {
  const until = performance.now() + patience;
  while (performance.now() < until && !hasEnded(child)) {
    try {
      const connection = await HttpConnection.open(port);
      const { status } = await connection.send(getRequest(path));
      connection.close();
      if (status === 200) return;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    await sleep(POLL_MILLISECONDS);
  }
  throw new Error(`the server on port ${port} did not start`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MILLISECONDS);
  await ended;
  clearTimeout(timer);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
