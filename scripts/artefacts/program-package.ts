/**
 * A command as an npm package: bundled JavaScript, the launcher, and the files that a node serves, at their
 * repository paths. npm installs only native packages, in our locked versions.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from '@netd/cli';
import { VERSION } from '@netd/protocol/version';
import { makeTarball } from '@netd/server/tarball';
import { thirdPartyLicences } from '../../packages/sdk/scripts/build/licences.ts';
import { bundleProgram, NATIVE, ROOT } from './bundle.ts';
import { filesAt, type Files } from './files.ts';
import { lockedPackages, pinned } from './locked-packages.ts';

/** The versions that run the sources. The launcher reports others. */
const ENGINES = '>=22.18';
const CONTRACT = ['contract/{actions,errors,formats,openapi,state}.json'];
/** Further files that every node serves. */
const SERVED = [
  'packages/explorer/dist/**',
  'packages/site/dist/**',
  'packages/server/cards/*',
  'handouts/agent-skill/SKILL.md',
];

export interface ProgramPackage {
  /** Its name is the package's name. */
  command: Pick<Program, 'name' | 'description'>;
  /** Its first module, from the root. */
  entry: string;
  readme: string;
  /** Globs of further files. */
  files: readonly string[];
}

/**
 * @param built new build products, by path
 * @returns the package for `npm install`
 */
export async function programPackage(
  { command, entry, readme, files }: ProgramPackage,
  built: Files = {},
): Promise<Buffer> {
  const { name } = command;
  const bundle = await bundleProgram(name, entry);
  const launcher = launcherOf(name);
  const content: Record<string, string | Uint8Array> = {
    ...bundle.files,
    ...compact(filesAt(CONTRACT)),
    ...filesAt([...SERVED, ...files]),
    // The worker finds it beside its fonts: packages/server/src/http/card-worker.ts.
    'packages/server/cards/resvg.wasm': readFileSync(
      join(ROOT, 'node_modules/@resvg/resvg-wasm/index_bg.wasm'),
    ),
    ...built,
    [LAUNCHER]: launcher,
    LICENSE: readFileSync(join(ROOT, 'LICENSE')),
    'README.md': readme,
    'THIRD-PARTY-LICENSES': thirdPartyLicences(bundle.foreign, name),
    'package.json': json(manifest(command)),
  };
  // An installed node rebuilds the package from this list: packages/server/src/own-package.ts.
  content['files.json'] = json([...Object.keys(content), 'files.json'].toSorted());
  return makeTarball(content);
}

const LAUNCHER = 'packages/cli/bin/netd.mjs';

function launcherOf(name: string): string {
  const text = readFileSync(join(ROOT, LAUNCHER), 'utf8');
  return text.replaceAll('lib/netd.mjs', `lib/${name}.mjs`);
}

function manifest({ name, description }: ProgramPackage['command']): object {
  return {
    name,
    version: VERSION,
    description,
    license: 'Apache-2.0',
    type: 'module',
    bin: { [name]: LAUNCHER },
    engines: { node: ENGINES },
    ...pinned(lockedPackages(NATIVE)),
  };
}

/** Removes whitespace from JSON, which is a third of it. */
function compact(files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => {
      const value: unknown = JSON.parse(Buffer.from(content).toString());
      return [path, Buffer.from(`${JSON.stringify(value)}\n`)];
    }),
  );
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
