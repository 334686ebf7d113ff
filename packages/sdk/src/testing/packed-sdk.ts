/** Installs the package that a node serves, without npm. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** @param folder of a program, which can then import net-sdk */
export function unpackSdk(folder: string): void {
  const installed = join(folder, 'node_modules/net-sdk');
  mkdirSync(installed, { recursive: true });
  const [tarball = ''] = readdirSync(DIST).filter((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', join(DIST, tarball), '-C', installed, '--strip-components=1']);
}
