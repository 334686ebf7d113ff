/** What every source file of the packages imports: from files beside it, from other packages, and what is only a type. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';

export interface Import {
  /** Path of the importing file from the root, as `packages/engine/src/index.ts`. */
  file: string;
  /** A path from the root where it is a file of ours, else the name of a package as it stands there. */
  target: string;
}

/** All imports of one text, types and dynamic ones included. */
export function importsOf(file: string, text: string): Import[] {
  const { module } = parseSync(file, text);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
    ),
    // Types named in place and modules that are loaded later; only a literal can be followed.
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
