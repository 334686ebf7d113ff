/** Two folders, two builds, the same hashes: whoever has the sources can see that nothing else is in what a node hands out. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT } from './bundle.ts';

const other = mkdtempSync(join(tmpdir(), 'netd-build-'));
after(() => rmSync(other, { recursive: true, force: true }));

/** The repository as it is here, what was built for it included, somewhere else. */
before(() => {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const built = [
    'packages/sdk/dist',
    'packages/sdk/src/generated',
    'packages/explorer/dist',
    'clients/python/dist',
  ];
  for (const path of [...files, ...built]) {
    mkdirSync(dirname(join(other, path)), { recursive: true });
    cpSync(join(ROOT, path), join(other, path), { recursive: true });
  }
  // Packages of others as they are; ours are those of the folder.
  const modules = join(other, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name === '@netd' || name === '.cache') continue;
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  mkdirSync(join(modules, '@netd'));
  for (const name of readdirSync(join(other, 'packages'))) {
    symlinkSync(join('../../packages', name), join(modules, '@netd', name));
    const own = join('packages', name, 'node_modules');
    if (existsSync(join(ROOT, own))) symlinkSync(join(ROOT, own), join(other, own));
  }
});

/** SHA-256 of all that is built, by name. */
function build(root: string, target: string, env: NodeJS.ProcessEnv = {}): Record<string, string> {
  execFileSync(process.execPath, [join(root, 'scripts/artefacts/main.ts'), target], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
  });
  return Object.fromEntries(
    readdirSync(target).map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(target, name)))
        .digest('hex'),
    ]),
  );
}

test('two builds in two folders make the same bytes, and another source makes others', () => {
  const here = build(ROOT, join(other, 'built-here'));
  const there = build(other, join(other, 'built-there'), { TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8' });
  assert.ok(Object.keys(here).length > 0);
  assert.deepEqual(there, here);

  appendFileSync(join(other, 'packages/protocol/src/version.ts'), 'globalThis.netd = 1;\n');
  const changed = build(other, join(other, 'built-changed'));
  for (const [name, hash] of Object.entries(changed)) {
    if (name.endsWith('.tgz')) assert.notEqual(hash, here[name], name);
  }
});
