/**
 * An agent's home in Node: secrets in `<keys>/<chainId>/<name>.json`, state in
 * `<keys>/../agents/<chainId>/<agentId>/`. Only this file, state-lock.ts and tests import `node:*`.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { utf8Bytes } from '@netd/protocol';
import { withoutByteOrderMark } from '@netd/protocol/visible-text';
import { AgentError } from './agent-error.ts';
import type { AgentHome, AgentState } from './home.ts';
import { takeStateLock } from './state-lock.ts';

const OTHERS = 0o077;

const UNUSABLE = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
  'ELOOP',
  'ENAMETOOLONG',
]);

async function usable<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined || !UNUSABLE.has(code)) throw cause;
    throw new AgentError('HOME_UNUSABLE', `${directory}: ${code}`, { cause });
  }
}

export function defaultHome(chainId: string, agentId: string, keys = defaultKeys()): AgentHome {
  const secrets = join(resolve(keys), chainId);
  const state = join(resolve(keys), '..', 'agents', chainId, agentId);
  const pathOfSecret = (name: string): string => join(secrets, `${name}.json`);
  return {
    readSecret: (name) => usable(secrets, () => readSecretFile(pathOfSecret(name))),
    writeSecret: (name, text) => usable(secrets, () => writeOnce(pathOfSecret(name), text)),
    replaceSecret: (name, before, text) =>
      usable(secrets, async () => {
        const path = pathOfSecret(name);
        if ((await readSecretFile(path)) === before) await replaceFile(path, utf8Bytes(text));
      }),
    pathOfSecret,
    openState: () => usable(state, () => openState(state)),
  };
}

function defaultKeys(): string {
  return process.env['NET_HOME'] || join(homedir() || userInfo().homedir, '.netd', 'keys');
}

type OnInterrupt = (stop: () => void) => () => void;

/**
 * Calls `stop` at SIGINT or SIGTERM, unless the host program has its own listener. All agents of a process
 * share one listener, across copies of this package. Returns a function that removes `stop`.
 */
export const onInterrupt: OnInterrupt = (stop) => {
  const shared = process as unknown as Record<symbol, OnInterrupt | undefined>;
  return (shared[Symbol.for('net-sdk.onInterrupt')] ??= interrupter())(stop);
};

function interrupter(): OnInterrupt {
  const names = ['SIGINT', 'SIGTERM'] as const;
  const stops = new Set<() => void>();
  const listen = (): void => {
    // Run before the host's listeners: its `once` listeners remove themselves, and would not be seen here.
    for (const name of names) process.prependListener(name, onSignal);
  };
  const leave = (): void => {
    for (const name of names) process.off(name, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    const isHosted = process.listenerCount(signal) > 1;
    // Unless the host handles signals, a second Ctrl-C ends the process.
    leave();
    if (isHosted) {
      setImmediate(() => stops.size > 0 && listen());
      return;
    }
    const each = [...stops];
    stops.clear();
    for (const stop of each) stop();
  };
  return (stop) => {
    if (stops.size === 0) listen();
    stops.add(stop);
    return () => {
      if (stops.delete(stop) && stops.size === 0) leave();
    };
  };
}

/**
 * Returns null if there is no such file.
 * @throws AgentError KEY_FILE_READABLE if others can read the file
 */
export async function readSecretFile(path: string): Promise<string | null> {
  let file;
  try {
    file = await open(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const mode = process.platform === 'win32' ? 0 : (await file.stat()).mode & 0o777;
    if ((mode & OTHERS) !== 0) {
      throw new AgentError('KEY_FILE_READABLE', `${path}, mode ${mode.toString(8)}`);
    }
    return withoutByteOrderMark(await file.readFile('utf8'));
  } finally {
    await file.close();
  }
}

async function writeOnce(path: string, text: string): Promise<void> {
  const draft = await writeDraft(dirname(path), utf8Bytes(text));
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
}

async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const draft = await writeDraft(dirname(path), bytes);
  try {
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
}

async function writeDraft(directory: string, bytes: Uint8Array): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = join(directory, `.${process.pid}.${randomBytes(6).toString('hex')}.draft`);
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, constants.O_RDONLY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function openState(path: string): Promise<AgentState> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const unlock = await takeStateLock(path);
  // Remove drafts that killed processes left.
  for (const name of await readdir(path)) {
    if (/^\.\d+\.[0-9a-f]{12}\.draft$/.test(name)) await rm(join(path, name), { force: true });
  }
  return {
    path,
    get: async (name) => {
      try {
        return new Uint8Array(await readFile(join(path, name)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    put: (name, bytes) => replaceFile(join(path, name), bytes),
    delete: async (name) => {
      await rm(join(path, name), { force: true });
      await syncDirectory(path);
    },
    names: () => readdir(path),
    close: unlock,
  };
}
