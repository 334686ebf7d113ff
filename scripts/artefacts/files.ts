/** Files by repository path. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bundle.ts';

export type Files = Readonly<Record<string, Uint8Array>>;

/** @throws Error if a glob matches nothing, because the package would be incomplete */
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
