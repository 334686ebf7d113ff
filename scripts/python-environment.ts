/** Installs pinned Python packages under node_modules/.cache. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedEnvironment, runToEnd, unlessMissing } from './cached-environment.ts';

/**
 * @param name of the environment
 * @param requirements path of the pinned list
 * @param cache parent folder
 * @returns the folder of its programs
 * @throws Error if Python, venv or a package is unavailable
 */
export async function pythonEnvironment(
  name: string,
  requirements: string,
  cache?: string,
): Promise<string> {
  const pinned = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const make = async (home: string): Promise<void> => {
    await runToEnd('python3', ['-m', 'venv', home]);
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-compile'];
    const install = ['-m', 'pip', 'install', ...quiet, '-r', requirements];
    await runToEnd(join(home, 'bin/python'), install);
  };
  return join(await cachedEnvironment(`${name}-${pinned}`, make, cache), 'bin');
}

/**
 * Returns the environment of clients/python with its checks. If it is unavailable, prints what was skipped, or
 * fails in CI.
 * @param what the skipped part
 */
export async function pythonSdkEnvironment(what: string): Promise<string | null> {
  const requirements = fileURLToPath(
    new URL('../clients/python/requirements.txt', import.meta.url),
  );
  return unlessMissing(what, pythonEnvironment('python-sdk', requirements));
}
