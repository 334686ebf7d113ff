/** Our sources and what they use as single files: one module for Node, one for browsers, one description of their types. */
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
/** The entry for tests, in Node alone. */
const TEST = `${SOURCES}test/index.ts`;
/** The entry for programs with a model of their own, in Node alone. */
const TOOLS = `${SOURCES}tools/index.ts`;

/** Which conditions `imports` and `exports` are resolved under. */
export type Platform = 'node' | 'browser';

export interface Bundle {
  /** The code of each module by its file name. */
  files: Record<string, string>;
  /** Paths of the modules in it that come from npm, sorted. */
  foreign: string[];
  /** The source map of each module that has one. */
  maps: Record<string, SourceMap>;
}
type SourceMap = NonNullable<OutputChunk['map']>;

/**
 * Schemas and their checks are made by calls that a bundler cannot know to be free of effects. Marked as such, they fall
 * away where they are unused: in this build, and in a later one of a page.
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
 * Everything as the one module `index.mjs`.
 * @throws Error where an import cannot be resolved, or a browser would have to
 */
export async function bundleCode(platform: Platform): Promise<Bundle> {
  return bundle({ index: ENTRY }, platform, { input: CODE, output: ALONE });
}

/**
 * The same as `index.mjs` and `core.mjs`, and a module for each of ours: bundlers leave out whole modules that are free of effects
 * more surely than parts of them, and who uses little of either gets little.
 */
export async function bundleModules(platform: Platform): Promise<Bundle> {
  const entries = {
    index: ENTRY,
    core: CORE,
    ...(platform === 'node' ? { test: TEST, tools: TOOLS } : {}),
  };
  return bundle(entries, platform, { input: CODE, output: APART });
}

/** Small, with a source map beside. */
const ALONE: OutputOptions = { minify: true, sourcemap: true };
/** npm and bundlers have ideas of their own about a folder node_modules within a package. */
const APART: OutputOptions = {
  preserveModules: true,
  entryFileNames: ({ name }) => `${name.replaceAll('node_modules', 'vendor')}.mjs`,
};

const CODE: RolldownOptions = {
  plugins: [markPureCalls],
  treeshake: { propertyReadSideEffects: false },
};

/**
 * The types as `index.d.mts`, `core.d.mts`, `test.d.mts` or `tools.d.mts`, which are the same on both platforms. Those of `test` are about what
 * `index.d.mts` declares: an agent of the one is an agent of the other.
 * @throws Error where the types of something are not in it
 */
export async function bundleTypes(of: 'index' | 'core' | 'test' | 'tools'): Promise<Bundle> {
  const entry = { index: ENTRY, core: CORE, test: TEST, tools: TOOLS }[of];
  const whole = declarationsOf(ENTRY);
  const input: RolldownOptions = {
    // Types take their time, whatever asks for them.
    checks: { pluginTimings: false },
    plugins: [plainTypes(entry), dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
    // Nothing that is handed on may be in terms of these.
    external: (id) => id.startsWith('typebox') || (of === 'test' && id === whole),
    treeshake: { moduleSideEffects: false },
  };
  const output: OutputOptions = { paths: { [whole]: WHOLE } };
  return bundle({ [of]: declarationsOf(entry) }, 'types', { input, output });
}

/** Path of the types of the whole package, relative to the types of its parts. */
const WHOLE = './index.mjs';

async function bundle(
  input: Record<string, string>,
  kind: Platform | 'types',
  { input: options, output: how = {} }: { input: RolldownOptions; output?: OutputOptions },
): Promise<Bundle> {
  const build = await rolldown({
    cwd: ROOT,
    // The core is what the index takes from it, too, under names of its own.
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
      foreign: [...new Set(chunks.flatMap(foreignModules))].toSorted(),
      maps: Object.fromEntries(
        chunks.flatMap(({ fileName, map }) => (map ? [[fileName, map]] : [])),
      ),
    };
  } finally {
    await build.close();
  }
}

/** Modules of dependencies of which code is left in a chunk. */
function foreignModules({ modules }: OutputChunk): string[] {
  return Object.entries(modules)
    .filter(([id, { code }]) => id.includes(`${sep}node_modules${sep}`) && code)
    .map(([id]) => id);
}
