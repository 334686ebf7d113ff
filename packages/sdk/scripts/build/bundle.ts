/** Our sources and what they use as single files: one module for Node, one for browsers, one description of their types. */
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown, type OutputChunk, type Plugin, type RolldownOptions } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { plainTypes } from './plain-types.ts';
import { ROOT } from './root.ts';

const ENTRY = fileURLToPath(new URL('../../src/index.ts', import.meta.url));

/** Which conditions `imports` and `exports` are resolved under. */
export type Platform = 'node' | 'browser';

export interface Bundle {
  code: string;
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

/** @throws Error where an import cannot be resolved, or a browser would have to */
export async function bundleCode(platform: Platform): Promise<Bundle> {
  const chunk = await bundle({
    input: ENTRY,
    platform,
    plugins: [markPureCalls],
    treeshake: { propertyReadSideEffects: false },
  });
  const needed = chunk.imports.filter(
    (name) => platform === 'browser' || !name.startsWith('node:'),
  );
  if (needed.length > 0) throw new Error(`the ${platform} build needs ${needed.join(', ')}`);
  return { code: chunk.code, foreign: foreignModules(chunk) };
}

/**
 * The types, which are the same on both platforms.
 * @throws Error where the types of something are not in it
 */
export async function bundleTypes(): Promise<Bundle> {
  const chunk = await bundle({
    input: ENTRY,
    platform: 'node',
    // Types take their time, whatever asks for them.
    checks: { pluginTimings: false },
    plugins: [
      plainTypes(['protocol', 'formats']),
      dts({
        emitDtsOnly: true,
        // The types of the other packages are made with ours, not read from files that nobody has built.
        eager: true,
        tsconfig: `${ROOT}tsconfig.json`,
        compilerOptions: { noEmit: false, declaration: true },
      }),
    ],
    // Nothing that is handed on may be in terms of these.
    external: [/^ajv/, /^typebox/],
    treeshake: { moduleSideEffects: false },
  });
  if (chunk.imports.length > 0) throw new Error(`the types need ${chunk.imports.join(', ')}`);
  return { code: chunk.code, foreign: foreignModules(chunk) };
}

async function bundle(options: RolldownOptions): Promise<OutputChunk> {
  const build = await rolldown({
    cwd: ROOT,
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
    ...options,
  });
  try {
    const { output } = await build.generate({ format: 'esm' });
    const [chunk, ...others] = output;
    if (others.length > 0) throw new Error('the build is more than one file');
    return chunk;
  } finally {
    await build.close();
  }
}

/** Of a chunk: the modules that something is left of. */
function foreignModules({ modules }: OutputChunk): string[] {
  return Object.entries(modules)
    .filter(([id, { code }]) => id.includes(`${sep}node_modules${sep}`) && code)
    .map(([id]) => id)
    .toSorted();
}
