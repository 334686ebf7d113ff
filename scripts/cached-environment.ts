/** Caches third-party programs for tests under node_modules/.cache, by pinned version. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sha256Hex } from '@netd/protocol';

const CACHE = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
/** An installation takes minutes on a slow network. */
const LOCK_MILLISECONDS = 600_000;
const PAUSE_MILLISECONDS = 100;
const SQLITE_BUSY = 5;

/**
 * Lets one process create the folder while others wait. Does not block the event loop, because idle
 * connections would be closed by peers.
 * @param name of the folder, which identifies its content
 * @param make fills the folder in place, because installed programs contain its path and cannot be moved
 * @param cache parent folder
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
      // Last, so that only a complete environment is reused.
      writeFileSync(done, '');
    }
  } finally {
    held.close();
  }
  return home;
}

/** Returns a folder with packages of npm, named after them. Fails if they take more milliseconds than `timeout`. */
export function cachedPackages(name: string, packages: Packages, timeout: number): Promise<string> {
  const folder = `${name}-${sha256Hex(JSON.stringify(packages)).slice(0, 12)}`;
  return cachedEnvironment(folder, (home) =>
    installPackages(home, packages, AbortSignal.timeout(timeout)),
  );
}

/** Exact versions by name. */
type Packages = Readonly<Record<string, string>>;

/** Installs packages of npm into a folder, without their scripts. */
export async function installPackages(
  home: string,
  packages: Packages,
  signal?: AbortSignal,
): Promise<void> {
  mkdirSync(home, { recursive: true });
  // A manifest of its own, independent of the repository's install rules.
  const manifest = { private: true, type: 'module', dependencies: packages };
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  await runToEnd('npm', ['install', '--prefix', home, '--ignore-scripts', ...quiet], signal);
}

/**
 * Awaits an optional environment. If it is unavailable, prints what was skipped, or fails in CI.
 * @param what the skipped part
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
 * @param signal ends it early, with all child processes
 * @throws Error unless it exits with 0
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

/** Waits for a lock that ends with its process (docs/decisions/021-data-directories-and-clock.md). */
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
