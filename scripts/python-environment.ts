/** Python packages in an environment of their own under node_modules/.cache, made once for each version of a pinned list. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));

/**
 * @param name of the environment
 * @param requirements path of the pinned list
 * @returns the folder with its programs
 * @throws Error where Python, its venv or a package is not to be had
 */
export function pythonEnvironment(name: string, requirements: string): string {
  const pinned = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const home = join(CACHE, `${name}-${pinned}`);
  if (!existsSync(join(home, 'done'))) {
    mkdirSync(CACHE, { recursive: true });
    rmSync(home, { recursive: true, force: true });
    run('python3', ['-m', 'venv', home]);
    const quiet = ['--quiet', '--disable-pip-version-check'];
    run(join(home, 'bin/python'), ['-m', 'pip', 'install', ...quiet, '-r', requirements]);
    writeFileSync(join(home, 'done.part'), '');
    // Only a whole environment is used again.
    renameSync(join(home, 'done.part'), join(home, 'done'));
  }
  return join(home, 'bin');
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
