/** Builds programs of CometBFT's module with Go, with some of its files changed. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { COMETBFT } from '@netd/engine/cometbft-binary';

const run = promisify(execFile);

interface Build {
  /** Directory for the program and its changed files. */
  home: string;
  program: 'cometbft' | 'priv_val_server';
  /** Version of the module; default: the one that netd works with. */
  version?: string;
  /** Changes of files by their path in the module. A file may be new. */
  changes?: Readonly<Record<string, (text: string) => string>>;
}

/** Returns the path of the program. Returns null and skips the test if the build fails. */
export async function buildOfCometbft(
  t: TestContext,
  { home, program, version = COMETBFT.version, changes = {} }: Build,
): Promise<string | null> {
  const path = join(home, `${program}-${version}`);
  try {
    const what = `${COMETBFT.module}@${version}`;
    const { stdout } = await run('go', ['mod', 'download', '-json', what]);
    const { Dir } = JSON.parse(stdout) as { Dir: string };
    // Go's cache of modules is read-only.
    const copy = join(home, `module-${version}`);
    await run('cp', ['-R', '--no-preserve=mode', Dir, copy]);
    for (const [file, change] of Object.entries(changes)) {
      const changed = join(copy, file);
      writeFileSync(changed, change(existsSync(changed) ? readFileSync(changed, 'utf8') : ''));
    }
    await run('go', ['-C', copy, 'build', '-trimpath', '-o', path, `./cmd/${program}`], {
      env: { ...process.env, CGO_ENABLED: '0' },
    });
    return path;
  } catch (error) {
    t.skip(`${program} ${version} cannot be built: ${(error as Error).message}`);
    return null;
  }
}
