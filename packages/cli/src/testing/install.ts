/** Installs a node's packages as its users do, with npm into an empty folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { unlessMissing } from '../../../../scripts/cached-environment.ts';

export interface Installed {
  /** The folder of the installed package. */
  folder: string;
  /** The launcher that npm put on the path. */
  launcher: string;
  /** Returns the path of a file in the package. */
  path: (name: string) => string;
}

/**
 * `npm install -g`, with dependencies from this machine's registry.
 * @param node the program that npm runs on
 * @returns null if the registry is unreachable, except in CI
 */
export async function installGlobally(
  url: string,
  name: string,
  { prefix, node }: { prefix: string; node: string },
): Promise<Installed | null> {
  const args = ['install', '--global', '--prefix', prefix, '--prefer-offline', '--no-audit', url];
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` };
  const install = async (): Promise<Installed> => {
    const child = spawn('npm', args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
    const [code] = (await once(child, 'close')) as [number];
    if (code !== 0) throw new Error(said);
    const folder = join(prefix, 'lib', 'node_modules', name);
    return {
      folder,
      launcher: join(prefix, 'bin', name),
      path: (file) => join(folder, file),
    };
  };
  return unlessMissing(`the installation of ${name}`, install());
}

/** Returns the total size of all files below a folder. */
export function bytesBelow(folder: string): number {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
