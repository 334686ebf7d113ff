/** Files of the repository by their paths. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bundle.ts';

export type Files = Readonly<Record<string, Uint8Array>>;

/** @throws Error where a glob finds nothing: a package that lacks what it needs is none */
export function filesAt(globs: readonly string[]): Files {
  return Object.fromEntries(
    globs.flatMap((glob) => {
      const paths = globSync(glob, { cwd: ROOT, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name));
      if (paths.length === 0) throw new Error(`nothing is at ${glob}`);
      return paths.map((path): [string, Uint8Array] => [
        path.slice(ROOT.length).replaceAll('\\', '/'),
        readFileSync(path),
      ]);
    }),
  );
}
