/** Installs JavaScript runtimes other than Node on demand, under node_modules/.cache. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  cachedEnvironment,
  installPackages,
  runToEnd,
  unlessMissing,
} from './cached-environment.ts';

interface Pinned {
  version: string;
  /** Scope of the packages with the program, one package per platform. `program` is its path in them. */
  scope: string;
  program: string;
}

const RUNTIMES = {
  bun: { version: '1.4.5', scope: '@oven', program: 'bin/bun' },
  deno: { version: '2.9.6', scope: '@deno', program: 'deno' },
  workerd: { version: '1.20261117.1', scope: '@cloudflare', program: 'bin/workerd' },
} satisfies Record<string, Pinned>;

export type RuntimeName = keyof typeof RUNTIMES;

/**
 * Returns the path of the program. If the runtime is unavailable, prints what was skipped, or fails in CI.
 * @param what the skipped part
 */
export async function runtimeProgram(name: RuntimeName, what: string): Promise<string | null> {
  const { version, scope, program } = RUNTIMES[name];
  const make = async (home: string): Promise<void> => {
    // npm selects the package of this platform. Its scripts would only download the same program again.
    await installPackages(home, { [name]: version });
    await runToEnd(programIn(home), ['--version']);
  };
  const programIn = (home: string): string => {
    const packages = join(home, 'node_modules', scope);
    const [platform = ''] = readdirSync(packages);
    return join(packages, platform, program);
  };
  const home = await unlessMissing(what, cachedEnvironment(`${name}-${version}`, make));
  return home && programIn(home);
}
