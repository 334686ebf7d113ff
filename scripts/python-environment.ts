/** Python packages in an environment of their own under node_modules/.cache, made once for each version of a pinned list. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedEnvironment, runToEnd, unlessMissing } from './cached-environment.ts';

/**
 * @param name of the environment
 * @param requirements path of the pinned list
 * @param cache folder to keep it in
 * @returns the folder with its programs
 * @throws Error where Python, its venv or a package is not to be had
 */
export async function pythonEnvironment(
  name: string,
  requirements: string,
  cache?: string,
): Promise<string> {
  const pinned = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const make = async (home: string): Promise<void> => {
    await runToEnd('python3', ['-m', 'venv', home]);
    const quiet = ['--quiet', '--disable-pip-version-check'];
    const install = ['-m', 'pip', 'install', ...quiet, '-r', requirements];
    await runToEnd(join(home, 'bin/python'), install);
  };
  return join(await cachedEnvironment(`${name}-${pinned}`, make, cache), 'bin');
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
  return unlessMissing(what, pythonEnvironment('python-sdk', requirements));
}
