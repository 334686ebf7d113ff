/** Two builds in two folders give the same hashes, so anyone with the sources can check a node's downloads. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { inCampaign } from '@netd/protocol/testing';
import { VERSION } from '@netd/protocol/version';
import { ROOT } from './bundle.ts';

const other = mkdtempSync(join(tmpdir(), 'netd-build-'));
after(() => rmSync(other, { recursive: true, force: true }));

const copy = join(other, 'copy');

/** The repository as it is here, what was built for it included, somewhere else and without git. */
before(() => {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const built = [
    'packages/sdk/dist',
    'packages/sdk/src/generated',
    'packages/explorer/dist',
    'packages/site/dist',
    'clients/python/dist',
  ];
  for (const path of [...files, ...built]) {
    if (!existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
  linkModules(copy);
});

/** The packages of others, in the folder: a link that leads out of it would put the path of this one into source maps. */
function linkModules(folder: string): void {
  for (const path of ['node_modules', ...globSync('packages/*/node_modules', { cwd: ROOT })]) {
    const names = readdirSync(join(ROOT, path)).filter((name) => name !== '.cache');
    // One of ours may have nothing there but its cache.
    if (names.length === 0) continue;
    mkdirSync(join(folder, path));
    const from = names.map((name) => join(ROOT, path, name));
    try {
      execFileSync('cp', ['-al', ...from, join(folder, path)], { stdio: 'pipe' });
    } catch {
      // On another disk.
      execFileSync('cp', ['-a', ...from, join(folder, path)]);
    }
  }
}

/** SHA-256 of all that is built, by name. */
function build(root: string, target: string, env: NodeJS.ProcessEnv = {}): Record<string, string> {
  execFileSync(process.execPath, [join(root, 'scripts/artefacts/main.ts'), target], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
  });
  return hashesIn(target);
}

function hashesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, sha256(readFileSync(join(folder, name)))]),
  );
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test('two builds in two folders make the same bytes', () => {
  const here = build(ROOT, join(other, 'built-here'));
  const there = build(copy, join(other, 'built-there'), { TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8' });
  assert.ok(Object.keys(here).length > 0);
  assert.deepEqual(there, here);
});

test('another source makes other bytes', inCampaign, () => {
  const here = hashesIn(join(other, 'built-here'));
  appendFileSync(join(copy, 'packages/protocol/src/version.ts'), 'globalThis.netd = 1;\n');
  const changed = build(copy, join(other, 'built-changed'));
  for (const [name, hash] of Object.entries(changed)) {
    if (/net-release|netd|follower/.test(name)) assert.notEqual(hash, here[name], name);
  }
});

test('a release that is built from its own sources is the same release', inCampaign, async () => {
  const target = join(other, 'built-here');
  const name = `net-release-${VERSION}.tar.gz`;
  const unpacked = join(other, 'unpacked');
  mkdirSync(unpacked);
  execFileSync('tar', ['xzf', join(target, name), '-C', unpacked]);
  const release = join(unpacked, `net-release-${VERSION}`);
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release });

  const source = join(release, 'source');
  linkModules(source);
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: source, stdio: 'pipe' });
  assert.deepEqual(hashesIn(join(source, 'dist')), hashesIn(target));

  // Each part says the same of the packages: the statement, and the bytes.
  const { subject } = JSON.parse(readFileSync(join(release, 'provenance.intoto.json'), 'utf8')) as {
    subject: { name: string; digest: { sha256: string } }[];
  };
  assert.deepEqual(
    Object.fromEntries(subject.map((one) => [one.name, one.digest.sha256])),
    hashesIn(join(release, 'packages')),
  );
  const { components } = JSON.parse(readFileSync(join(release, 'sbom.cdx.json'), 'utf8')) as {
    components: { name: string; scope: string; hashes?: unknown[] }[];
  };
  const lmdb = components.find((one) => one.name === 'lmdb');
  assert.equal(lmdb?.scope, 'required');
  assert.equal(components.find((one) => one.name === 'typescript')?.scope, 'excluded');
});
