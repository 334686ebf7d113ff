/**
 * Builds uncommitted files: the generated sources of both SDKs, parts of contract/, then a node's downloads, explorer
 * and documentation (scripts/artefacts). Skips products whose sources are unchanged.
 * node scripts/build.ts
 * node scripts/build.ts generated    only the inputs of compiler and linter
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Product {
  name: string;
  commands: readonly string[];
  sources: readonly string[];
  /** Build products, which may have been removed or changed. */
  output: readonly string[];
}

const PRODUCTS: readonly Product[] = [
  {
    name: 'generated',
    commands: ['scripts/generate-sdk.ts', 'scripts/generate-python.ts'],
    sources: [
      'contract/{openapi,actions,errors}.json',
      'packages/sdk/{scripts/*,src/agent/*-error,src/agent/health}.ts',
      'scripts/{generate-sdk,generate-python,python-sync,python-text,python-types}.ts',
      'clients/python/src/netsdk/_async/*.py',
      '.prettierrc.json',
      'package-lock.json',
    ],
    output: [
      'packages/sdk/src/generated/**',
      'clients/python/src/netsdk/{_sync/*,_async/calls,documents,event_types,payloads,tables}.py',
      'clients/python/src/netsdk/agent/{acts,agent_events}.py',
    ],
  },
  {
    name: 'contract',
    commands: ['scripts/build-contract.ts'],
    sources: [
      'packages/*/src/**/*.ts',
      'scripts/build-contract.ts',
      'scripts/contract/*.ts',
      'package-lock.json',
    ],
    output: ['contract/{commands,sdk-errors,tools}.json'],
  },
  {
    name: 'sdk',
    commands: ['packages/sdk/scripts/build.ts'],
    // Broad on purpose: a superfluous build costs seconds, a missing one an afternoon.
    sources: [
      'packages/{homes,sdk,formats,protocol,blobs,client-limits}/**',
      'contract/**',
      'package-lock.json',
    ],
    output: ['packages/sdk/dist/**'],
  },
  {
    name: 'python',
    commands: ['scripts/build-python.mjs'],
    sources: [
      'clients/python/**',
      'contract/**',
      'scripts/{build-python,python-reference,wheel}.mjs',
    ],
    output: ['clients/python/dist/**'],
  },
  {
    name: 'explorer',
    commands: ['packages/explorer/scripts/build.ts'],
    sources: [
      'packages/{explorer,sdk,protocol,blobs,client-limits}/**',
      'contract/**',
      'package-lock.json',
    ],
    output: ['packages/explorer/dist/**'],
  },
  {
    name: 'site',
    commands: ['packages/site/scripts/build.ts'],
    sources: [
      'packages/site/**',
      'packages/explorer/src/{icon.svg,styles/*.css,words/samples.ts}',
      'packages/server/src/{guides,own-address}.ts',
      'packages/server/src/http/{operations,description,schema-shape}.ts',
      'packages/sdk/{dist/reference.json,README.md}',
      'clients/python/{dist/reference.json,*.md}',
      'contract/**',
      'docs/**/*.{md,svg}',
      'vectors/golden-chain/*.jsonl',
      'package-lock.json',
    ],
    output: ['packages/site/dist/**'],
  },
  {
    // After the products that it contains.
    name: 'artefacts',
    commands: ['scripts/artefacts/main.ts'],
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
    output: ['dist/**'],
  },
  {
    name: 'lab',
    commands: ['scripts/build-lab.mjs'],
    sources: [
      'dist/netd-*.tgz',
      'clients/python/dist/*.whl',
      'clients/lab/{*,netsdk_lab/*,dist/native/*}',
      'scripts/{build-lab,wheel}.mjs',
      'scripts/artefacts/locked-packages.ts',
      'package-lock.json',
    ],
    output: ['clients/lab/dist/*'],
  },
];

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
// The package `node` leaves 67 MB of unused C++ headers behind.
rmSync('node_modules/node/node_modules', { recursive: true, force: true });
const only = process.argv.slice(2);
for (const { name, commands, sources, output } of PRODUCTS) {
  if (only.length > 0 && !only.includes(name)) continue;
  const stamp = `node_modules/.cache/build/${name}`;
  const inputs = digestOf(sources, output);
  if (readOr(stamp, '') === `${inputs} ${digestOf(output)}`) continue;
  try {
    for (const command of commands) execFileSync(process.execPath, [command], { stdio: 'inherit' });
  } catch (error) {
    console.error(`${name} was not built. If a package is missing, run npm install.`);
    throw error;
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, `${inputs} ${digestOf(output)}`);
}

/** SHA-256 over paths and contents of files, without `except`. */
function digestOf(globs: readonly string[], except: readonly string[] = []): string {
  const digest = createHash('sha256');
  const left = new Set(filesOf(except));
  for (const path of [...new Set(filesOf(globs))].toSorted()) {
    if (!left.has(path)) digest.update(`${path}\0`).update(readFileSync(path)).update('\0');
  }
  return digest.digest('hex');
}

function filesOf(globs: readonly string[]): string[] {
  const exclude = ['**/node_modules', '**/__pycache__'];
  return globs
    .flatMap((glob) => globSync(glob, { withFileTypes: true, exclude }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}
