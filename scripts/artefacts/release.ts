/**
 * The full release: sources, build products, contents list and checksums. Building the unpacked `source/`
 * gives the same bytes, this archive included.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '@netd/protocol/version';
import { makeTarball } from '@netd/server/tarball';
import { ROOT } from './bundle.ts';
import type { Files } from './files.ts';
import { billOfMaterials } from './bill-of-materials.ts';

/** Names of a checkout that a release omits, as in `.gitignore`. */
const NOT_SOURCES =
  /^(?:node_modules|\.git|\.netd|coverage|dist|dist\.draft|generated|__pycache__|\.(?:venv|pytest_cache|mypy_cache|ruff_cache)|report\.local\.json|.*\.log|.*\.tsbuildinfo)$/;

/** Generated Python files, which are beside edited ones. */
const GENERATED_PYTHON =
  /^clients\/python\/src\/netsdk\/(?:_sync|_async\/calls\.py|(?:documents|payloads|tables)\.py|agent\/(?:acts|agent_events)\.py)$/;

/** @param built further published files, by name */
export async function releaseArchive(built: Files): Promise<Buffer> {
  const sources = sourceFiles();
  const content: Record<string, Uint8Array> = {
    ...below('source', sources),
    ...below('packages', built),
    'sbom.cdx.json': json(billOfMaterials()),
    'README.md': Buffer.from(readme()),
    LICENSE: readFileSync(join(ROOT, 'LICENSE')),
  };
  content['provenance.intoto.json'] = json(provenance(sources, built));
  content['SHA256SUMS'] = Buffer.from(
    Object.keys(content)
      .toSorted()
      .map((name) => `${sha256(content[name] ?? new Uint8Array())}  ${name}\n`)
      .join(''),
  );
  return makeTarball(content, { folder: `net-release-${VERSION}` });
}

/** Files that Git tracks or would add; in a release all files. */
function sourceFiles(): Files {
  const paths = existsSync(join(ROOT, '.git'))
    ? execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
        cwd: ROOT,
        encoding: 'utf8',
        maxBuffer: 64 * 1_048_576,
      }).split('\0')
    : filesBelow('');
  return Object.fromEntries(
    paths
      .filter((path) => path !== '' && existsSync(join(ROOT, path)))
      .map((path) => [path, readFileSync(join(ROOT, path))]),
  );
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (NOT_SOURCES.test(entry.name) || GENERATED_PYTHON.test(path)) return [];
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

/**
 * Provenance in in-toto form (https://slsa.dev/spec/v1.0/provenance). Unsigned, because the build can be
 * repeated.
 */
function provenance(sources: Files, built: Files): object {
  const subject = Object.keys(built)
    .toSorted()
    .map((name) => ({ name, digest: { sha256: sha256(built[name] ?? new Uint8Array()) } }));
  const listing = Object.keys(sources)
    .toSorted()
    .map((path) => `${sha256(sources[path] ?? new Uint8Array())}  ${path}\n`)
    .join('');
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:netd:build:npm-run-build:1',
        externalParameters: { version: VERSION, command: 'npm ci' },
        resolvedDependencies: [
          { name: 'source', digest: { sha256: sha256(Buffer.from(listing)) } },
          {
            name: 'package-lock.json',
            digest: { sha256: sha256(readFileSync(join(ROOT, 'package-lock.json'))) },
          },
        ],
      },
      runDetails: { builder: { id: 'urn:netd:anyone' } },
    },
  };
}

const readme = (): string => `# netd ${VERSION}, the whole of it

| Here | Is |
|---|---|
| source/ | the repository: \`npm ci && npm start\` in it starts a devnet; contract/ and vectors/ are in it |
| packages/ | what a node hands out: netd, net-follower, SDKs, archives |
| sbom.cdx.json | every package of others that is built in or used to build (CycloneDX 1.6) |
| provenance.intoto.json | what was made of what, by hash |
| SHA256SUMS | \`sha256sum -c SHA256SUMS\` |

**Is it what its sources make?** \`cd source && npm ci\`, then compare \`source/dist\`, \`source/packages/sdk/dist\` and \`source/clients/python/dist\` with packages/: the
hashes are the same, that of this archive too (source/dist/net-release-${VERSION}.tar.gz). Its hash stands in /v1/manifest of every node that hands it out.
`;

const below = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${folder}/${name}`, bytes]));

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
