/**
 * Lets one process run an agent. The kernel keeps the lock, so it goes with its process however that ends. SQLite's lock
 * holds across containers that share a disk, but Node has it only since 22.13. A local socket holds on one machine, under
 * any runtime of Linux, and on Windows under any Node. A process takes each lock that its runtime has, so that two runtimes
 * that share one of them keep each other out (docs/decisions/024-agents.md has the table).
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpath } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { AgentError } from './agent-error.ts';

/** Stays empty. It must not be opened elsewhere in this process: when a process closes a file, it loses all its locks on it. */
const LOCK = 'agent.lock';
/** Bytes of an abstract socket name after the NUL: all that fit. Node 20 pads shorter names with NUL, later ones do not. */
const NAME_BYTES = 107;

/** Gives the lock back. */
type Unlock = () => Promise<void>;

/** Referenced from here, or the garbage collector would close them. */
const held = new Map<string, Unlock>();

/**
 * Takes the lock of a state directory, which is there.
 * @throws AgentError AGENT_RUNNING if this or another process has it, RUNTIME_TOO_OLD where this Node has no lock to take
 */
export async function takeStateLock(path: string): Promise<Unlock> {
  const place = await realpath(path);
  if (held.has(place))
    throw new AgentError('AGENT_RUNNING', `this process already runs it, in ${path}`);
  const socket = await lockSocket(path);
  let file: Unlock | null = null;
  try {
    file = await lockFile(path);
    if (!socket && !file) throw new AgentError('RUNTIME_TOO_OLD', process.version);
  } catch (error) {
    await socket?.();
    throw error;
  }
  const unlock = async (): Promise<void> => {
    held.delete(place);
    await file?.();
    await socket?.();
  };
  held.set(place, unlock);
  return unlock;
}

/** Listens on a name that only one process of this machine can have; null if the runtime or system has no such names. */
async function lockSocket(path: string): Promise<Unlock | null> {
  const name = `netd-agent-${createHash('sha256')
    .update(await realpath(path))
    .digest('hex')}`;
  const address = { linux: `\0${name.padEnd(NAME_BYTES, '.')}`, win32: `\\\\.\\pipe\\${name}` }[
    process.platform as string
  ];
  if (address === undefined) return null;
  const server: Server = createServer((socket) => socket.destroy());
  server.listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Bun refuses a name of this length.
    if (code === 'EINVAL') return null;
    throw code === 'EADDRINUSE' ? new AgentError('AGENT_RUNNING', path) : error;
  }
  // It is no reason for the process to go on.
  server.unref();
  return async () => {
    server.close();
    await once(server, 'close');
  };
}

/** An exclusive lock on a file, by SQLite; null where this Node does not bring it. */
async function lockFile(path: string): Promise<Unlock | null> {
  const sqlite = await import('node:sqlite').catch(() => null);
  if (!sqlite) return null;
  const lock = new sqlite.DatabaseSync(join(path, LOCK), { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    // Deno gives no number.
    const busy = /locked/.test((error as Error).message);
    throw busy ? new AgentError('AGENT_RUNNING', path) : error;
  }
  return async () => lock.close();
}
