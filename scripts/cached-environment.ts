/** Folders under node_modules/.cache that a test needs and that are made once: programs of others, by what they are pinned to. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
/** An installation takes a minute or two where the network is slow. */
const LOCK_MILLISECONDS = 600_000;
const PAUSE_MILLISECONDS = 100;
const SQLITE_BUSY = 5;

/**
 * Of several processes that ask at once one makes the folder, and the others wait. Whatever else a process does goes on meanwhile:
 * connections left alone are closed from the other side.
 * @param name of the folder; it says what is in it
 * @param make fills the folder in its place, because the programs of an environment name their own folder and cannot be moved
 * @param cache folder to keep it in
 * @returns the folder
 */
export async function cachedEnvironment(
  name: string,
  make: (home: string) => Promise<void>,
  cache = CACHE,
): Promise<string> {
  const home = join(cache, name);
  const done = join(home, 'done');
  if (existsSync(done)) return home;
  mkdirSync(cache, { recursive: true });
  const held = await lock(`${home}.lock`);
  try {
    if (!existsSync(done)) {
      rmSync(home, { recursive: true, force: true });
      await make(home);
      // Last: only a whole environment is used again.
      writeFileSync(done, '');
    }
  } finally {
    held.close();
  }
  return home;
}

/**
 * What an optional environment answers. Where it cannot be had that is said, except in CI, where it fails.
 * @param what is left out then
 */
export async function unlessMissing<T>(what: string, environment: Promise<T>): Promise<T | null> {
  try {
    return await environment;
  } catch (error) {
    if (process.env['CI']) throw error;
    console.error(`skipped: ${what}, whose packages are missing. ${(error as Error).message}`);
    return null;
  }
}

/**
 * @param signal ends it before, and all that it has started
 * @throws Error where it does not end with 0
 */
export async function runToEnd(
  command: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const child = spawn(command, args, { stdio: 'inherit', detached: signal !== undefined });
  const end = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  signal?.addEventListener('abort', end, { once: true });
  try {
    const [status] = (await once(child, 'exit')) as unknown[];
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(status)}`);
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** Waits for the lock, which goes with its process however that ends (docs/decisions/021-data-directories-and-clock.md). */
async function lock(path: string): Promise<DatabaseSync> {
  for (const end = Date.now() + LOCK_MILLISECONDS; ;) {
    const held = new DatabaseSync(path);
    try {
      held.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
      return held;
    } catch (error) {
      held.close();
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY || Date.now() > end) throw error;
    }
    await setTimeout(PAUSE_MILLISECONDS);
  }
}
