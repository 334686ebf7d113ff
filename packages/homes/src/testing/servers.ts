/** Real servers of the machine, each in a folder of its own, listening on a socket only. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Kind } from './clients.ts';

/** Returns the programs of a server; null if the machine has none. */
export function programsOf(kind: Kind): string | null {
  if (kind === 'postgres') return globSync('/usr/lib/postgresql/*/bin/postgres').at(-1) ?? null;
  const names = ['/usr/bin/valkey-server', '/usr/bin/redis-server'];
  return names.find((path) => existsSync(path)) ?? null;
}

/**
 * Starts a server whose writes are durable once acknowledged.
 * @returns its socket, and a function that ends it
 */
export async function startServer(
  kind: Kind,
  program: string,
  folder: string,
): Promise<{ socket: string; stop: () => Promise<void> }> {
  const socket = join(folder, kind);
  mkdirSync(socket);
  const user = kind === 'postgres' ? unprivileged(folder, socket) : {};
  const args =
    kind === 'postgres'
      ? initialized(program, socket, user)
      : ['--port', '0', '--unixsocket', join(socket, 'socket'), '--dir', socket]
          .concat(['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''])
          .concat(['--logfile', '']);
  const child = spawn(program, args, { ...user, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  let said = '';
  const ready = new Promise<void>((resolve, reject) => {
    const hear = (part: Buffer): void => {
      said += part.toString();
      if (/ready to accept connections/i.test(said)) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    exit.then(() => reject(new Error(`${program} has ended: ${said}`)), reject);
  });
  await ready;
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await exit;
  };
  return { socket: kind === 'postgres' ? socket : join(socket, 'socket'), stop };
}

function initialized(program: string, folder: string, user: object): string[] {
  const data = join(folder, 'data');
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8'];
  execFileSync(program.replace(/postgres$/, 'initdb'), args, { ...user, stdio: 'pipe' });
  return ['-D', data, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`];
}

/** Postgres refuses to run as root. */
function unprivileged(...folders: string[]): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid = 0, gid = 0] = ['-u', '-g'].map((of) =>
    Number(execFileSync('id', [of, 'postgres']).toString()),
  );
  for (const folder of folders) chownSync(folder, uid, gid);
  return { uid, gid };
}
