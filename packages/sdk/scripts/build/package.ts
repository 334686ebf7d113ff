/** The content of the published package, and single-file builds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bundleCode,
  bundleCommonJs,
  bundleModules,
  bundleTypes,
  ENTRY_NAMES,
  type Bundle,
} from './bundle.ts';
import { thirdPartyLicences } from './licences.ts';
import { referenceOf, type ReferenceEntry } from './reference.ts';
import { ROOT } from './root.ts';
import { makeTarball } from '@netd/server/tarball';
import { SDK_NODE } from '../../../../scripts/node-environment.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Returns every built file by name. */
export async function buildSdk(): Promise<Record<string, Buffer>> {
  const node = await bundleCode('node');
  const browser = await bundleCode('browser');
  const types = await bundleTypes('index');
  const declarations: Record<string, string> = {};
  const reference: Record<string, ReferenceEntry[]> = {};
  for (const entry of ENTRY_NAMES) {
    const code = codeOf(entry === 'index' ? types : await bundleTypes(entry));
    declarations[`${entry}.d.mts`] = code;
    // The core is a part of the index.
    if (entry !== 'core') reference[entry] = referenceOf(code);
    declarations[`${entry}.d.cts`] = code.replaceAll('./index.mjs', './index.cjs');
  }
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
    ...inFolder('node', (await bundleCommonJs()).files),
    ...inFolder('browser', (await bundleModules()).files),
    ...declarations,
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
    // The build of the documentation reads it. No node serves it.
    'reference.json': Buffer.from(JSON.stringify(reference)),
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
      '.': { browser: forBrowsers('index'), ...forNode('index'), ...forBrowsers('index') },
      './core': { browser: forBrowsers('core'), ...forNode('core'), ...forBrowsers('core') },
      './homes': { browser: forBrowsers('homes'), ...forNode('homes'), ...forBrowsers('homes') },
      './test': forNode('test'),
      './tools': forNode('tools'),
      './services': forNode('services'),
      './package.json': './package.json',
    },
    main: './node/index.cjs',
    types: './index.d.cts',
  };
}

const forNode = (entry: string): object => ({
  node: {
    import: { types: `./${entry}.d.mts`, default: `./node/${entry}.mjs` },
    require: { types: `./${entry}.d.cts`, default: `./node/${entry}.cjs` },
  },
});

/** The default is for edge runtimes, which resemble browsers. */
const forBrowsers = (entry: string): object => ({
  types: `./${entry}.d.mts`,
  default: `./browser/${entry}.mjs`,
});
