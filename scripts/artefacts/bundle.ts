/**
 * Bundles our sources and dependencies as JavaScript in one folder, because Node strips no types below
 * node_modules. Files that start threads or processes become entries of their own.
 */
import { isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown, type Plugin } from 'rolldown';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Folder of the modules. They find other files by their repository paths. */
const FOLDER = 'lib';

/** Packages with native parts, which npm installs. */
export const NATIVE = ['lmdb', 'sodium-native'] as const;

export interface Bundle {
  /** Code by path in the package. */
  files: Record<string, string>;
  /** npm modules in the bundle, sorted. */
  foreign: string[];
}

/**
 * `new URL('x.ts', import.meta.url)` and `new URL(import.meta.resolve('@netd/x'))`: files of ours that are
 * run.
 */
const STARTED =
  /new URL\(\s*(?:'(?<file>[^']+\.ts)',\s*import\.meta\.url|import\.meta\.resolve\('(?<door>@netd\/[^']+)'\)),?\s*\)/g;

/**
 * @param name of the first module
 * @param entry its source, from the root of the repository
 * @param native packages to leave out
 * @throws Error if an import cannot be resolved, or is not of Node, a native package or the bundle
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
    // Would contain this machine's paths.
    experimental: { attachDebugInfo: 'none' },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  try {
    const { output } = await build.generate({
      format: 'esm',
      entryFileNames: '[name].mjs',
      // No hash, because its input contains this machine's paths.
      chunkFileNames: '[name].mjs',
      comments: false,
      // Removes whitespace, but keeps names for readable stacks.
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

/** Lets a module keep its repository path, by which it finds other files. */
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
