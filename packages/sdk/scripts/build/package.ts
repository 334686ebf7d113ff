/** The content of the published package, and single-file builds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleCode, bundleModules, bundleTypes, type Bundle } from './bundle.ts';
import { thirdPartyLicences } from './licences.ts';
import { ROOT } from './root.ts';
import { makeTarball } from '@netd/server/tarball';
import { SDK_NODE } from '../../../../scripts/node-environment.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Returns every built file by name. */
export async function buildSdk(): Promise<Record<string, Buffer>> {
  const node = await bundleCode('node');
  const browser = await bundleCode('browser');
  const types = await bundleTypes('index');
  const coreTypes = await bundleTypes('core');
  const testTypes = await bundleTypes('test');
  const toolsTypes = await bundleTypes('tools');
  const { version, license } = JSON.parse(read('packages/sdk/package.json')) as {
    version: string;
    license: string;
  };
  const tarball = await makeTarball({
    'package.json': `${JSON.stringify(manifest(version, license), null, 2)}\n`,
    'README.md': read('packages/sdk/README.md'),
    LICENSE: read('LICENSE'),
    'THIRD-PARTY-LICENSES': thirdPartyLicences(
      [node, browser, types].flatMap(({ foreign }) => foreign),
    ),
    ...inFolder('node', (await bundleModules('node')).files),
    ...inFolder('browser', (await bundleModules('browser')).files),
    'index.d.mts': codeOf(types),
    'core.d.mts': codeOf(coreTypes),
    'test.d.mts': codeOf(testTypes),
    'tools.d.mts': codeOf(toolsTypes),
  });
  /** A single file carries its licences. */
  const withLicences = (code: string, { foreign }: Bundle): string => {
    const licences = thirdPartyLicences(foreign).replaceAll('*/', '* /');
    return `/*! net-sdk ${version}, Apache-2.0 */\n${code}\n/*!\n${licences}*/\n`;
  };
  const alone = (name: string, bundle: Bundle): Record<string, Buffer> => {
    const [map] = Object.values(bundle.maps);
    if (!map) throw new Error(`${name} has no source map`);
    const code = codeOf(bundle).replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '');
    return {
      [name]: Buffer.from(`${withLicences(code, bundle)}//# sourceMappingURL=${name}.map\n`),
      // The licence comment adds a line before the code.
      [`${name}.map`]: Buffer.from(
        JSON.stringify({
          version: 3,
          file: name,
          sources: map.sources.map(sourceName),
          // Leaves out sources of dependencies, which are more than half of the map.
          sourcesContent: map.sourcesContent?.map((text, at) =>
            map.sources[at]?.includes('node_modules') ? null : text,
          ),
          names: map.names,
          mappings: `;${map.mappings}`,
        }),
      ),
    };
  };
  return {
    [`net-sdk-${version}.tgz`]: tarball,
    ...alone('net-sdk.mjs', node),
    ...alone('net-sdk.browser.mjs', browser),
    'net-sdk.d.mts': Buffer.from(withLicences(codeOf(types), types)),
  };
}

/** Removes what depends on the build machine. */
const sourceName = (path: string): string => path.replace(/^(?:\.\.?\/)+/, '');

/** @throws Error if there is more than one file */
function codeOf({ files }: Bundle): string {
  const [code, ...others] = Object.values(files);
  if (code === undefined || others.length > 0) throw new Error('the build is not one file');
  return code;
}

const inFolder = (folder: string, files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, code]) => [`${folder}/${name}`, code]));

function manifest(version: string, license: string): object {
  return {
    name: 'net-sdk',
    version,
    description: 'The JavaScript client of netd: keys, actions, reads, proofs and events.',
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: `>=${SDK_NODE}` },
    exports: {
      '.': {
        types: './index.d.mts',
        browser: './browser/index.mjs',
        node: './node/index.mjs',
        // For edge runtimes, which resemble browsers.
        default: './browser/index.mjs',
      },
      './core': {
        types: './core.d.mts',
        browser: './browser/core.mjs',
        node: './node/core.mjs',
        default: './browser/core.mjs',
      },
      './test': { types: './test.d.mts', node: './node/test.mjs' },
      './tools': { types: './tools.d.mts', node: './node/tools.mjs' },
      './package.json': './package.json',
    },
    types: './index.d.mts',
  };
}
