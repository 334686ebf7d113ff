/**
 * Selects the test files that a change can affect.
 * A source file affects each test that loads it, by import or `new URL('worker.ts', import.meta.url)`. If a test
 * starts processes or reads files, any change in its package, or one below it, selects it. Shared inputs (contract,
 * vectors, lock file, this runner) select everything.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A change to one of these can affect every test. */
const EVERYTHING =
  /^(contract|vectors|scripts\/test)\/|^[^/]*(\.json|\.npmrc|\.ts)$|\/package\.json$/;
const SOURCE_ENDINGS: ReadonlySet<string> = new Set(['.ts', '.tsx', '.mjs']);
const IS_TEST = /\.test\.(tsx?|mjs)$/;
/** Matches test files that depend on more than they load. */
const LOOKS_AROUND =
  /from 'node:(child_process|worker_threads)'|\b(readFileSync|readFile|globSync|readdirSync)\(|process\.execPath/;
/** These read other tests' names or files. */
const READS_TESTS = /^(scripts|packages\/cli\/src\/bad-days\.test\.ts$)/;
/** Packages whose files a node serves without importing them. */
const SERVED = ['explorer', 'site', 'sdk'];
const SERVERS = ['server', 'node', 'cli', 'testkit'];

export interface Affected {
  /** Test files, a subset of those asked about; null if a change affects everything. */
  files: string[] | null;
  /** True if the tests of the Python client can notice. */
  isPython: boolean;
  /** The changed file that affects everything. */
  because?: string;
}

/**
 * @param tests paths of test files below the root
 * @param changed paths of changed, added and removed files below the root
 * @param root ends in a slash
 */
export function affectedBy(
  changed: readonly string[],
  tests: readonly string[],
  root: string,
): Affected {
  const because = changed.find((file) => EVERYTHING.test(file));
  if (because !== undefined) return { files: null, isPython: true, because };
  const sources = new SourceGraph(root);
  const files = tests.filter((test) => changed.some(sources.noticeOf(test)));
  // The Python tests start nodes, which contain every package but the testkit.
  const isPython = changed.some((file) => !IS_TEST.test(file) && !file.startsWith('docs/'));
  return { files, isPython };
}

class SourceGraph {
  private readonly root: string;
  private readonly loads = new Map<string, string[]>();
  private readonly texts = new Map<string, string>();
  private readonly doors = new Map<string, string>();
  private readonly below = new Map<string, Set<string>>();

  constructor(root: string) {
    this.root = root;
    this.readPackages();
  }

  /** Returns a function that tells if the test can notice a change to a file. */
  noticeOf(test: string): (changed: string) => boolean {
    const loaded = this.closureOf(test);
    // The test, or a test helper beside it, starts processes or reads files.
    const looksAround = [...loaded].some(
      (file) => /\.test\.|testing|testkit/.test(file) && LOOKS_AROUND.test(this.textOf(file)),
    );
    const packages = this.packagesOf(test, loaded);
    return (changed) => {
      if (loaded.has(changed)) return true;
      if (IS_TEST.test(changed)) return READS_TESTS.test(test);
      const [place, name = ''] = changed.split('/');
      const isSource = SOURCE_ENDINGS.has(extname(changed));
      if (place === 'packages' && !isSource && packageOf(test) === name) return true;
      return looksAround && (place !== 'packages' || packages.has(name));
    };
  }

  /** Returns the packages that a test loads from and those below them; all for a test outside of packages. */
  private packagesOf(test: string, loaded: ReadonlySet<string>): ReadonlySet<string> {
    if (packageOf(test) === '') return new Set(this.below.keys());
    const own = new Set([...loaded].map(packageOf));
    return new Set([...own].flatMap((name) => [...(this.below.get(name) ?? [])]));
  }

  private closureOf(file: string): ReadonlySet<string> {
    const found = new Set([file]);
    // A set also iterates over items added during the loop.
    for (const one of found) for (const next of this.loadedBy(one)) found.add(next);
    return found;
  }

  private loadedBy(file: string): string[] {
    const known = this.loads.get(file);
    if (known) return known;
    const text = SOURCE_ENDINGS.has(extname(file)) ? this.textOf(file) : '';
    const targets = loadsOf(file, text).map((target) => this.fileOf(target));
    this.loads.set(file, targets);
    return targets;
  }

  /** Resolves a path that a package exports, also by a pattern such as `./*`. */
  private fileOf(target: string): string {
    const exact = this.doors.get(target);
    if (exact !== undefined) return exact;
    for (const [door, file] of this.doors) {
      const [start = '', end] = door.split('*');
      if (end !== undefined && target.startsWith(start) && target.endsWith(end))
        return file.replace('*', target.slice(start.length, target.length - end.length));
    }
    return target;
  }

  private textOf(file: string): string {
    const known = this.texts.get(file);
    if (known !== undefined) return known;
    let text = '';
    try {
      text = readFileSync(this.root + file, 'utf8');
    } catch {
      // A removed file, or another package manager's: loads nothing.
    }
    this.texts.set(file, text);
    return text;
  }

  private readPackages(): void {
    const direct = new Map<string, string[]>();
    for (const path of globSync('packages/*/package.json', { cwd: this.root }).sort()) {
      const folder = dirname(path);
      const name = packageOf(path);
      const text = readFileSync(this.root + path, 'utf8');
      const { exports = {}, dependencies = {} } = JSON.parse(text) as PackageFile;
      for (const [door, file] of Object.entries(exports)) {
        if (typeof file !== 'string') continue;
        this.doors.set(normalize(join(`@netd/${name}`, door)), normalize(join(folder, file)));
      }
      const ours = Object.keys(dependencies)
        .filter((one) => one.startsWith('@netd/'))
        .map((one) => one.slice('@netd/'.length));
      direct.set(name, [...ours, ...(SERVERS.includes(name) ? SERVED : [])]);
    }
    for (const name of direct.keys()) {
      const all = new Set([name]);
      for (const one of all) for (const next of direct.get(one) ?? []) all.add(next);
      this.below.set(name, all);
    }
  }
}

interface PackageFile {
  exports?: Record<string, unknown>;
  dependencies?: Record<string, string>;
}

const packageOf = (path: string): string => {
  const [place, name = ''] = path.split('/');
  return place === 'packages' ? name : '';
};

/** Returns the files and packages loaded at run time, without `import type`. */
function loadsOf(file: string, text: string): string[] {
  if (text === '') return [];
  const { module } = parseSync(file, text);
  const isType = ({ start }: { start: number }): boolean =>
    /^(import|export)\s+type\b/.test(text.slice(start, start + 20));
  const specifiers = [
    ...module.staticImports.filter((one) => !isType(one)).map((one) => one.moduleRequest.value),
    ...module.staticExports
      .filter((one) => !isType(one))
      .flatMap(({ entries }) => entries.flatMap((one) => one.moduleRequest?.value ?? [])),
    ...[...text.matchAll(/\bimport\(\s*'([^']+)'/g)].flatMap(([, one]) => one ?? []),
    ...[...text.matchAll(/\bnew URL\(\s*'([^':]+)',\s*import\.meta\.url/g)].flatMap(([, one]) =>
      one === undefined ? [] : one.startsWith('.') ? one : `./${one}`,
    ),
  ];
  return [...new Set(specifiers)].map((specifier) =>
    specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier,
  );
}
