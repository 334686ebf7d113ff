/** Packages that npm installs beside our commands, from the lock file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bundle.ts';

interface Locked {
  version: string;
  optional?: boolean;
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Returns the lock file's entries of these packages and their dependencies, by name.
 * @throws Error if one is missing, or needed in two versions: a manifest can pin one
 */
export function lockedPackages(names: readonly string[]): Record<string, Locked> {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const found: Record<string, Locked> = {};
  const add = (name: string, from: string, wanted: string): void => {
    if (found[name]) return;
    const locked = packages[`node_modules/${name}`];
    if (packages[`node_modules/${from}/node_modules/${name}`]) {
      throw new Error(`${from} needs another version of ${name} than the others`);
    }
    // The lock file may omit binaries for other machines. Their versions are exact.
    if (!locked && !EXACT.test(wanted)) throw new Error(`${name} is not in package-lock.json`);
    found[name] = locked ?? { version: wanted, optional: true };
    const { dependencies, optionalDependencies } = found[name];
    for (const [next, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      add(next, name, version);
    }
  };
  for (const name of names) add(name, '', '');
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/**
 * Returns dependencies that pin each package. A shrinkwrap would not help: npm reads it only for registry
 * packages.
 */
export function pinned(
  locked: Readonly<Record<string, Locked>>,
): Record<'dependencies' | 'optionalDependencies', Record<string, string>> {
  const of = (isOptional: boolean): Record<string, string> =>
    Object.fromEntries(
      Object.entries(locked)
        .filter(([, { optional = false }]) => optional === isOptional)
        .map(([name, { version }]) => [name, version]),
    );
  return { dependencies: of(false), optionalDependencies: of(true) };
}
