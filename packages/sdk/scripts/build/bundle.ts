/** Bundles our sources and dependencies: one module for Node, one for browsers, one declaration file. */
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  rolldown,
  type OutputChunk,
  type OutputOptions,
  type Plugin,
  type RolldownOptions,
} from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { declarationsOf, plainTypes } from './plain-types.ts';
import { ROOT } from './root.ts';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));
const ENTRY = `${SOURCES}index.ts`;
const CORE = `${SOURCES}core.ts`;
/** Entry for tests, Node only. */
const TEST = `${SOURCES}test/index.ts`;
/** Entry for agent frameworks, Node only. */
const TOOLS = `${SOURCES}tools/index.ts`;
/** Entry for services of other frameworks and protocols, Node only. */
const SERVICES = `${SOURCES}services/index.ts`;
/** Entry for stores that several machines share, a package of its own. */
const HOMES = fileURLToPath(new URL('../../../homes/src/index.ts', import.meta.url));

/** Modules of the package by the name of their entry. */
const ENTRIES = {
  index: ENTRY,
  core: CORE,
  test: TEST,
  tools: TOOLS,
  services: SERVICES,
  homes: HOMES,
};
export type EntryName = keyof typeof ENTRIES;
export const ENTRY_NAMES = Object.keys(ENTRIES) as EntryName[];

export type Platform = 'node' | 'browser';

export interface Bundle {
  /** Code by file name. */
  files: Record<string, string>;
  /** Exported names by entry. */
  exports: Record<string, string[]>;
  /** npm modules in the bundle, sorted. */
  foreign: string[];
  /** Source maps by module. */
  maps: Record<string, SourceMap>;
}
type SourceMap = NonNullable<OutputChunk['map']>;

/**
 * Marks calls that create schemas as free of effects, so that this build and later ones can drop unused
 * schemas.
 */
const PURE_CALL = /(?<![\w.]|function )(?:Type\.[A-Z]\w*|compileSchema|defineFormat)\(/g;
const markPureCalls: Plugin = {
  name: 'mark-pure-calls',
  transform: (code, id) =>
    /[/\\]packages[/\\](?:protocol|formats)[/\\]src[/\\]/.test(id)
      ? { code: code.replaceAll(PURE_CALL, '/* @__PURE__ */ $&'), map: null }
      : null,
};

/**
 * Builds the single module `index.mjs`.
 * @throws Error if an import cannot be resolved, or only in Node
 */
export async function bundleCode(platform: Platform): Promise<Bundle> {
  return bundle({ index: ENTRY }, platform, { input: CODE, output: ALONE });
}

/**
 * Builds `index.mjs`, `core.mjs` and `homes.mjs` with one module per source, because bundlers drop whole modules more
 * reliably than parts.
 */
export async function bundleModules(): Promise<Bundle> {
  const entries = { index: ENTRY, core: CORE, homes: HOMES };
  return bundle(entries, 'browser', { input: CODE, output: APART });
}

/**
 * Builds each entry for Node as CommonJS, and an ECMAScript module that passes on its exports. So a process
 * that both imports and requires the package has one copy of its classes, streams and locks.
 */
export async function bundleCommonJs(): Promise<Bundle> {
  const bundled = await bundle(ENTRIES, 'node', { input: CODE, output: COMMON });
  const files = { ...bundled.files };
  for (const [name, exports] of Object.entries(bundled.exports)) {
    const path = `./${name}.cjs`;
    files[`${name}.mjs`] =
      `import all from '${path}';\nexport const { ${exports.join(', ')} } = all;\n`;
  }
  return { ...bundled, files };
}

const COMMON: OutputOptions = {
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name].cjs',
};
const ALONE: OutputOptions = { minify: true, sourcemap: true };
/** npm and bundlers treat a nested node_modules folder specially. */
const APART: OutputOptions = {
  preserveModules: true,
  entryFileNames: ({ name }) => `${name.replaceAll('node_modules', 'vendor')}.mjs`,
};

const CODE: RolldownOptions = {
  plugins: [markPureCalls],
  treeshake: { propertyReadSideEffects: false },
};

/** Entries whose declarations import those of `index.d.mts`, so that they share its types of agents. */
const SHARES_TYPES: ReadonlySet<EntryName> = new Set(['test', 'services', 'homes']);

/**
 * Builds the declarations, which are the same on both platforms.
 * @throws Error if a type cannot be included
 */
export async function bundleTypes(of: EntryName): Promise<Bundle> {
  const entry = ENTRIES[of];
  const whole = declarationsOf(ENTRY);
  const input: RolldownOptions = {
    // Generating types is slow, so don't warn about it.
    checks: { pluginTimings: false },
    plugins: [plainTypes(entry), dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
    // No public type may depend on these.
    external: (id) => id.startsWith('typebox') || (SHARES_TYPES.has(of) && id === whole),
    treeshake: { moduleSideEffects: false },
  };
  const output: OutputOptions = { paths: { [whole]: WHOLE } };
  return bundle({ [of]: declarationsOf(entry) }, 'types', { input, output });
}

/** Path of the whole package's types, relative to its parts. */
const WHOLE = './index.mjs';

async function bundle(
  input: Record<string, string>,
  kind: Platform | 'types',
  { input: options, output: how = {} }: { input: RolldownOptions; output?: OutputOptions },
): Promise<Bundle> {
  const build = await rolldown({
    cwd: ROOT,
    // Lets the index import parts of the core under other names.
    preserveEntrySignatures: 'allow-extension',
    platform: kind === 'types' ? 'node' : kind,
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
    ...options,
    input,
  });
  try {
    const { output } = await build.generate({
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name].mjs',
      ...how,
    });
    const chunks = output.filter((file) => file.type === 'chunk');
    const own = new Set(chunks.map(({ fileName }) => fileName));
    const needed = chunks
      .flatMap(({ imports }) => imports)
      .filter(
        (name) =>
          !own.has(name) && name !== WHOLE && !(kind === 'node' && name.startsWith('node:')),
      );
    if (needed.length > 0) throw new Error(`the ${kind} build needs ${needed.join(', ')}`);
    return {
      files: Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code])),
      exports: Object.fromEntries(
        chunks.filter(({ isEntry }) => isEntry).map(({ name, exports }) => [name, exports]),
      ),
      foreign: [...new Set(chunks.flatMap(foreignModules))].toSorted(),
      maps: Object.fromEntries(
        chunks.flatMap(({ fileName, map }) => (map ? [[fileName, map]] : [])),
      ),
    };
  } finally {
    await build.close();
  }
}

/** Dependencies with code left in a chunk. */
function foreignModules({ modules }: OutputChunk): string[] {
  return Object.entries(modules)
    .filter(([id, { code }]) => id.includes(`${sep}node_modules${sep}`) && code)
    .map(([id]) => id);
}
