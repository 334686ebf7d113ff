/**
 * Our sources and what they use as JavaScript in one folder: Node strips no types below node_modules. Threads and processes that are
 * started by their file are entries of their own, found where they are named.
 */
import { isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown, type Plugin } from 'rolldown';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Where the modules lie in the package. They find every other file by the path that it has in the repository. */
const FOLDER = 'lib';

/** What has parts for each machine: npm installs it, with binaries that its authors built. */
export const NATIVE = ['lmdb', 'sodium-native'] as const;

export interface Bundle {
  /** The code of each module by its path in the package. */
  files: Record<string, string>;
  /** Paths of the modules in it that come from npm, sorted. */
  foreign: string[];
}

/** `new URL('x.ts', import.meta.url)` and `new URL(import.meta.resolve('@netd/x'))`: a file of ours that is run. */
const STARTED =
  /new URL\(\s*(?:'(?<file>[^']+\.ts)',\s*import\.meta\.url|import\.meta\.resolve\('(?<door>@netd\/[^']+)'\)),?\s*\)/g;

/**
 * @param name of the first module
 * @param entry the source that it is, from the root of the repository
 * @param native packages that stay outside
 * @throws Error where an import cannot be resolved, or is not one of Node, of a native package or of the bundle
 */
export async function bundleProgram(
  name: string,
  entry: string,
  native: readonly string[] = NATIVE,
): Promise<Bundle> {
  const build = await rolldown({
    cwd: ROOT,
    platform: 'node',
    input: { [name]: join(ROOT, entry) },
    external: [...NATIVE],
    plugins: [ownPlaces()],
    // Would name the folders of this machine.
    experimental: { attachDebugInfo: 'none' },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  try {
    const { output } = await build.generate({
      format: 'esm',
      entryFileNames: '[name].mjs',
      // Without a hash: what it is made of holds the paths of this machine.
      chunkFileNames: '[name].mjs',
      // Comments are for who reads the sources.
      comments: false,
      // So is the space between; names stay, so that a stack can be read.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    });
    const chunks = output.filter((file) => file.type === 'chunk');
    const own = new Set<string>([...chunks.map(({ fileName }) => fileName), ...native]);
    const needed = chunks
      .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
      .filter((module) => !own.has(module) && !isBuiltin(module));
    if (needed.length > 0) throw new Error(`the build of ${name} needs ${needed.join(', ')}`);
    return {
      files: Object.fromEntries(
        chunks.map(({ fileName, code }) => [`${FOLDER}/${fileName}`, code]),
      ),
      foreign: [
        ...new Set(
          chunks.flatMap(({ modules }) =>
            Object.entries(modules)
              .filter(([id, { code }]) => id.includes(`${sep}node_modules${sep}`) && code)
              .map(([id]) => id.replace(/^\0/, '').replace(/\?.*$/, '')),
          ),
        ),
      ].toSorted(),
    };
  } finally {
    await build.close();
  }
}

/** A module of ours goes on to take itself for what it is in the repository: what it reads lies at the same path in the package. */
function ownPlaces(): Plugin {
  return {
    name: 'own-places',
    async transform(code, id) {
      if (!id.startsWith(join(ROOT, 'packages')) || !code.includes('import.meta')) return null;
      const started: [text: string, replacement: string][] = [];
      for (const { 0: text, groups = {} } of code.matchAll(STARTED)) {
        const path = groups['file'] === undefined ? null : join(dirname(id), groups['file']);
        const target = path ?? (await this.resolve(groups['door'] ?? '', id))?.id;
        if (target === undefined) throw new Error(`${id} starts what is not there: ${text}`);
        const name = relative(join(ROOT, 'packages'), target)
          .replace(/\.ts$/, '')
          .replace(`${sep}src${sep}`, sep)
          .replaceAll(sep, '-');
        this.emitFile({ type: 'chunk', id: target, fileName: `${name}.mjs` });
        started.push([text, `new URL('./${name}.mjs', import.meta.\0url)`]);
      }
      let own = code;
      for (const [text, replacement] of started) own = own.replace(text, () => replacement);
      const place = relative(ROOT, id).replaceAll(sep, '/');
      return {
        code: own
          .replaceAll('import.meta.url', `new URL('../${place}', import.meta.url).href`)
          .replaceAll('import.meta.\0url', 'import.meta.url'),
        map: null,
      };
    },
  };
}
