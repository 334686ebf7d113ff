/**
 * Lets only one process run an agent; the kernel releases the lock when the process ends. SQLite's lock also
 * works across containers with a shared disk, but needs Node 22.13. A local socket works within one machine.
 * A process takes each lock that its runtime has, so two runtimes with one in common exclude each other
 * (docs/decisions/024-agents.md).
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpath } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { AgentError } from './agent-error.ts';

/**
 * Never open this file elsewhere in this process: closing any descriptor drops all the process's locks on it.
 */
const LOCK = 'agent.lock';
/** Length of an abstract socket name. Names use the full length, because only Node 20 pads shorter ones. */
const NAME_BYTES = 107;

type Unlock = () => Promise<void>;

const held = new Map<string, Unlock>();

/** @throws AgentError AGENT_RUNNING if a process has the lock; RUNTIME_TOO_OLD if this runtime has none */
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
  server.unref();
  return async () => {
    server.close();
    await once(server, 'close');
  };
}

async function lockFile(path: string): Promise<Unlock | null> {
  const sqlite = await import('node:sqlite').catch(() => null);
  if (!sqlite) return null;
  const lock = new sqlite.DatabaseSync(join(path, LOCK), { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const busy = /locked/.test((error as Error).message);
    throw busy ? new AgentError('AGENT_RUNNING', path) : error;
  }
  return async () => lock.close();
}
