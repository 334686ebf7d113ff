/**
 * Builds what is not committed: the generated sources of the JavaScript SDK, then what a node hands out (the SDK itself,
 * the wheel of the Python client, the explorer, the documentation, the packages and archives of scripts/artefacts). What was built from the same sources stays as it is, because `npm ci`, `npm test` and
 * `npm start` in a row would otherwise build three times.
 *
 *   node scripts/build.ts              everything
 *   node scripts/build.ts generated    only what the compiler and the linter read
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Product {
  name: string;
  command: readonly string[];
  sources: readonly string[];
  /** The folder of what is built: files in it may have been removed or changed since. */
  output: string;
}

const PRODUCTS: readonly Product[] = [
  {
    name: 'generated',
    command: ['scripts/generate-sdk.ts'],
    sources: [
      'contract/**',
      'packages/sdk/scripts/*.ts',
      'scripts/generate-sdk.ts',
      '.prettierrc.json',
      'package-lock.json',
    ],
    output: 'packages/sdk/src/generated',
  },
  {
    name: 'sdk',
    command: ['packages/sdk/scripts/build.ts'],
    // More than goes into it: a superfluous build costs seconds, a missing one an afternoon.
    sources: ['packages/{sdk,formats,protocol,blobs}/**', 'contract/**', 'package-lock.json'],
    output: 'packages/sdk/dist',
  },
  {
    name: 'python',
    command: ['scripts/build-python.mjs'],
    sources: ['clients/python/**', 'contract/**', 'scripts/build-python.mjs'],
    output: 'clients/python/dist',
  },
  {
    name: 'explorer',
    command: ['packages/explorer/scripts/build.ts'],
    sources: ['packages/{explorer,sdk,protocol}/**', 'contract/**', 'package-lock.json'],
    output: 'packages/explorer/dist',
  },
  {
    name: 'site',
    command: ['packages/site/scripts/build.ts'],
    sources: [
      'packages/site/**',
      'packages/explorer/src/{icon.svg,styles/*.css,words/samples.ts}',
      'packages/server/src/{guides,own-address}.ts',
      'packages/server/src/http/{operations,description,schema-shape}.ts',
      'contract/**',
      'docs/**/*.{md,svg}',
      'vectors/golden-chain/*.jsonl',
      'package-lock.json',
    ],
    output: 'packages/site/dist',
  },
  {
    // Last: what was built before goes into it.
    name: 'artefacts',
    command: ['scripts/artefacts/main.ts'],
    sources: [
      'packages/*/{src,bin,dist}/**',
      'packages/*/package.json',
      'clients/join/*.mjs',
      'clients/python/dist/*',
      'contract/**',
      'docs/**',
      'examples/**',
      'handouts/**',
      'scripts/artefacts/**',
      'package-lock.json',
    ],
    output: 'dist',
  },
];

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const [only] = process.argv.slice(2);
for (const { name, command, sources, output } of PRODUCTS) {
  if (only !== undefined && name !== only) continue;
  const stamp = `node_modules/.cache/build/${name}`;
  const inputs = digestOf(sources, output);
  if (readOr(stamp, '') === `${inputs} ${digestOf([`${output}/**`])}`) continue;
  try {
    execFileSync(process.execPath, command, { stdio: 'inherit' });
  } catch (error) {
    console.error(`${name} was not built. Where a package is not found, npm install brings it.`);
    throw error;
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, `${inputs} ${digestOf([`${output}/**`])}`);
}

/** SHA-256 over paths and contents of files. */
function digestOf(globs: readonly string[], except?: string): string {
  const digest = createHash('sha256');
  const files = globs
    .flatMap((glob) =>
      globSync(glob, { withFileTypes: true, exclude: ['**/node_modules', '**/__pycache__'] }),
    )
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .filter((path) => except === undefined || !path.includes(`${except}/`));
  for (const path of [...new Set(files)].toSorted()) {
    digest.update(`${path}\0`).update(readFileSync(path)).update('\0');
  }
  return digest.digest('hex');
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}
