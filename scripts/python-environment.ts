/** Python packages in an environment of their own under node_modules/.cache, made once for each version of a pinned list. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
 * Of several processes that ask at once one makes it, and the others wait. Whatever else a process does goes on meanwhile:
 * connections that nobody looks after are closed from the other side.
 * @param name of the environment
 * @param requirements path of the pinned list
 * @param cache folder to keep it in
 * @returns the folder with its programs
 * @throws Error where Python, its venv or a package is not to be had
 */
export async function pythonEnvironment(
  name: string,
  requirements: string,
  cache = CACHE,
): Promise<string> {
  const pinned = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const home = join(cache, `${name}-${pinned}`);
  const isWhole = (): boolean => existsSync(join(home, 'done'));
  if (!isWhole()) {
    mkdirSync(cache, { recursive: true });
    const held = await lock(`${home}.lock`);
    try {
      if (!isWhole()) await make(home, requirements);
    } finally {
      held.close();
    }
  }
  return join(home, 'bin');
}

/** In its place, because the programs of an environment name their own folder and cannot be moved. */
async function make(home: string, requirements: string): Promise<void> {
  rmSync(home, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', home]);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  await run(join(home, 'bin/python'), ['-m', 'pip', 'install', ...quiet, '-r', requirements]);
  // Last: only a whole environment is used again.
  writeFileSync(join(home, 'done'), '');
}

/** Waits for the lock, which goes with its process however that ends (docs/decisions/021-lock-and-clock.md). */
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

/**
 * The environment of clients/python, its own checks included. Where it cannot be made that is said, except in CI, where it fails.
 * @param what is left out then
 * @returns the folder with its programs
 */
export async function pythonSdkEnvironment(what: string): Promise<string | null> {
  const requirements = fileURLToPath(
    new URL('../clients/python/requirements.txt', import.meta.url),
  );
  try {
    return await pythonEnvironment('python-sdk', requirements);
  } catch (error) {
    if (process.env['CI']) throw error;
    console.error(`skipped: ${what}, whose packages are missing. ${(error as Error).message}`);
    return null;
  }
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const [status] = (await once(spawn(command, args, { stdio: 'inherit' }), 'exit')) as unknown[];
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(status)}`);
}
