/** Python packages in an environment of their own under node_modules/.cache, made once for each version of a pinned list. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
/** An installation takes a minute or two where the network is slow. */
const LOCK_MILLISECONDS = 600_000;

/**
 * Of several processes that ask at once one makes it, and the others wait.
 * @param name of the environment
 * @param requirements path of the pinned list
 * @param cache folder to keep it in
 * @returns the folder with its programs
 * @throws Error where Python, its venv or a package is not to be had
 */
export function pythonEnvironment(name: string, requirements: string, cache = CACHE): string {
  const pinned = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const home = join(cache, `${name}-${pinned}`);
  const isWhole = (): boolean => existsSync(join(home, 'done'));
  if (!isWhole()) {
    mkdirSync(cache, { recursive: true });
    const held = lock(`${home}.lock`);
    try {
      if (!isWhole()) make(home, requirements);
    } finally {
      held.close();
    }
  }
  return join(home, 'bin');
}

/** In its place, because the programs of an environment name their own folder and cannot be moved. */
function make(home: string, requirements: string): void {
  rmSync(home, { recursive: true, force: true });
  run('python3', ['-m', 'venv', home]);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  run(join(home, 'bin/python'), ['-m', 'pip', 'install', ...quiet, '-r', requirements]);
  // Last: only a whole environment is used again.
  writeFileSync(join(home, 'done'), '');
}

/** Waits for the lock, which goes with its process however that ends (docs/decisions/021-lock-and-clock.md). */
function lock(path: string): DatabaseSync {
  const held = new DatabaseSync(path, { timeout: LOCK_MILLISECONDS });
  held.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
  return held;
}

/**
 * The environment of clients/python, its own checks included. Where it cannot be made that is said, except in CI, where it fails.
 * @param what is left out then
 * @returns the folder with its programs
 */
export function pythonSdkEnvironment(what: string): string | null {
  const requirements = fileURLToPath(
    new URL('../clients/python/requirements.txt', import.meta.url),
  );
  try {
    return pythonEnvironment('python-sdk', requirements);
  } catch (error) {
    if (process.env['CI']) throw error;
    console.error(`skipped: ${what}, whose packages are missing. ${(error as Error).message}`);
    return null;
  }
}

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
