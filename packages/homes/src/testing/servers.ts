/** Real servers of the machine, each in a folder of its own, listening on a socket only. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@netd/testkit/temp-dir';
import type { Kind } from './clients.ts';

interface User {
  uid?: number;
  gid?: number;
}

/** Returns the programs of a server; null if the machine has none. */
export function programsOf(kind: Kind): string | null {
  if (kind === 'postgres') return globSync('/usr/lib/postgresql/*/bin/postgres').at(-1) ?? null;
  const names = ['/usr/bin/valkey-server', '/usr/bin/redis-server'];
  return names.find((path) => existsSync(path)) ?? null;
}

/**
 * Starts a server whose writes are durable once acknowledged.
 * @param t ends the server, and removes its folder, after the test
 * @returns its socket
 */
export async function startServer(
  kind: Kind,
  program: string,
  t: { after: (end: () => unknown) => void },
): Promise<string> {
  const user = kind === 'postgres' ? unprivileged() : {};
  const socket = folderFor(user, t);
  const args =
    kind === 'postgres'
      ? initialized(program, socket, user)
      : ['--port', '0', '--unixsocket', join(socket, 'socket'), '--dir', socket]
          .concat(['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''])
          .concat(['--logfile', '']);
  const child = spawn(program, args, { ...user, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGINT');
    await exit;
  });
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
  return kind === 'postgres' ? socket : join(socket, 'socket');
}

/** Returns a new folder that only this user can read. */
function folderFor({ uid, gid }: User, t: { after: (remove: () => void) => void }): string {
  if (uid === undefined || gid === undefined) return tempDir(t);
  // Another user cannot enter TMPDIR, which the test runner keeps private.
  const folder = tempDir(t, '/tmp');
  chownSync(folder, uid, gid);
  return folder;
}

/** @throws Error with what initdb said if it fails */
function initialized(program: string, folder: string, user: User): string[] {
  const data = join(folder, 'data');
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8'];
  const initdb = program.replace(/postgres$/, 'initdb');
  const { status, error, stderr } = spawnSync(initdb, args, { ...user, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${initdb} has failed: ${error?.message ?? stderr.trim()}`);
  return ['-D', data, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`];
}

/** Returns the user that runs Postgres, which refuses to run as root. */
function unprivileged(): User {
  if (process.getuid?.() !== 0) return {};
  const [uid = 0, gid = 0] = ['-u', '-g'].map((of) =>
    Number(execFileSync('id', [of, 'postgres']).toString()),
  );
  return { uid, gid };
}
