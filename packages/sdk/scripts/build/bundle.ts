/** Our sources and what they use as single files: one module for Node, one for browsers, one description of their types. */
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown, type OutputChunk, type Plugin, type RolldownOptions } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { declarationsOf, plainTypes } from './plain-types.ts';
import { ROOT } from './root.ts';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));
const ENTRY = `${SOURCES}index.ts`;

/** Which conditions `imports` and `exports` are resolved under. */
export type Platform = 'node' | 'browser';

export interface Bundle {
  /** The code of each module by its file name. */
  files: Record<string, string>;
  /** Paths of the modules in it that come from npm, sorted. */
  foreign: string[];
}

/**
 * Schemas and their checks are made by calls that a bundler cannot know to be free of effects. Marked as such, they fall
 * away wherever nobody uses them: in this build, and in that of whoever bundles what it makes.
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
  return bundle({ index: ENTRY }, platform, CODE);
}

/**
 * The same as `index.mjs` and `core.mjs`: who imports only what is in the core gets nothing else, because bundlers leave out
 * whole modules that are free of effects more surely than parts of them.
 */
export async function bundleModules(platform: Platform): Promise<Bundle> {
  return bundle({ index: ENTRY, core: `${SOURCES}core.ts` }, platform, CODE);
}

const CODE: RolldownOptions = {
  plugins: [markPureCalls],
  treeshake: { propertyReadSideEffects: false },
};

/**
 * The types as `index.d.mts`, which are the same on both platforms.
 * @throws Error where the types of something are not in it
 */
export async function bundleTypes(): Promise<Bundle> {
  return bundle({ index: declarationsOf(ENTRY) }, 'types', {
    // Types take their time, whatever asks for them.
    checks: { pluginTimings: false },
    plugins: [plainTypes(ENTRY), dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
    // Nothing that is handed on may be in terms of these.
    external: [/^ajv/, /^typebox/],
    treeshake: { moduleSideEffects: false },
  });
}

async function bundle(
  input: Record<string, string>,
  kind: Platform | 'types',
  options: RolldownOptions,
): Promise<Bundle> {
  const build = await rolldown({
    cwd: ROOT,
    // The core is what the index takes from it, too, under names that nobody else uses.
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
    });
    const chunks = output.filter((file) => file.type === 'chunk');
    const own = new Set(chunks.map(({ fileName }) => fileName));
    const needed = chunks
      .flatMap(({ imports }) => imports)
      .filter((name) => !own.has(name) && !(kind === 'node' && name.startsWith('node:')));
    if (needed.length > 0) throw new Error(`the ${kind} build needs ${needed.join(', ')}`);
    return {
      files: Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code])),
      foreign: [...new Set(chunks.flatMap(foreignModules))].toSorted(),
    };
  } finally {
    await build.close();
  }
}

/** Of a chunk: the modules that something is left of. */
function foreignModules({ modules }: OutputChunk): string[] {
  return Object.entries(modules)
    .filter(([id, { code }]) => id.includes(`${sep}node_modules${sep}`) && code)
    .map(([id]) => id);
}
