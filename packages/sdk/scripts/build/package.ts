/** The published package: what is in it, and what lies beside it for those who want a single file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleCode, bundleModules, bundleTypes, type Bundle } from './bundle.ts';
import { thirdPartyLicences } from './licences.ts';
import { ROOT } from './root.ts';
import { makeTarball } from './tarball.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Every file that the build makes, by its name: the package, and its modules on their own. */
export async function buildSdk(): Promise<Record<string, Buffer>> {
  const node = await bundleCode('node');
  const browser = await bundleCode('browser');
  const types = await bundleTypes();
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
  });
  /** A file that travels alone takes the licences along. */
  const alone = (bundle: Bundle): Buffer => {
    const licences = thirdPartyLicences(bundle.foreign).replaceAll('*/', '* /');
    return Buffer.from(
      `/*! net-sdk ${version}, Apache-2.0 */\n${codeOf(bundle)}\n/*!\n${licences}*/\n`,
    );
  };
  return {
    [`net-sdk-${version}.tgz`]: tarball,
    'net-sdk.mjs': alone(node),
    'net-sdk.browser.mjs': alone(browser),
    'net-sdk.d.mts': alone(types),
  };
}

/** @throws Error where it is more than one file */
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
    engines: { node: '>=20' },
    exports: {
      '.': {
        types: './index.d.mts',
        browser: './browser/index.mjs',
        node: './node/index.mjs',
        // Neither a browser nor Node, such as a worker at the edge: it has what a browser has.
        default: './browser/index.mjs',
      },
      './package.json': './package.json',
    },
    types: './index.d.mts',
  };
}
