/** Imports of the packages' source files: from files and packages, with type-only ones marked. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';

export interface Import {
  /** Importing file from the root, such as `packages/engine/src/index.ts`. */
  file: string;
  /** A path from the root for our files, otherwise the package's name as written. */
  target: string;
}

/** Returns the imports of a text, types and dynamic ones included. */
export function importsOf(file: string, text: string): Import[] {
  const { module } = parseSync(file, text);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
    ),
    // Inline types and dynamic imports; only literals can be followed.
    ...[...text.matchAll(/\bimport\(\s*'([^']+)'/g)].flatMap(([, specifier]) => specifier ?? []),
  ];
  return [...new Set(specifiers)].map((specifier) => ({
    file,
    target: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier,
  }));
}

/** @param root ends in a slash */
export function allImports(root: string): Import[] {
  return globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
    .sort()
    .flatMap((file) => importsOf(file, readFileSync(root + file, 'utf8')));
}
