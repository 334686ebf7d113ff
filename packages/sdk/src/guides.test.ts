/** The programs of the guides, checked as a strict reader's compiler checks them; guides.slow.test.ts of the CLI runs them. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempDir } from '@netd/testkit/temp-dir';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const GUIDES = join(ROOT, 'docs/guides');
const DIST = join(ROOT, 'packages/sdk/dist');

/** Members of JSON that only a program in TypeScript has to narrow first. */
const NEEDS_NARROWING = /error TS(2365|18046): /;

const OPTIONS = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom', 'esnext.disposable', 'dom.asynciterable'],
  types: ['node'],
  allowJs: true,
  checkJs: true,
  strict: true,
  // JavaScript has no type annotations.
  noImplicitAny: false,
  noEmit: true,
  skipLibCheck: true,
};

test('JavaScript of the guides agrees with the types of the built package', (t) => {
  const folder = tempDir(t);
  const installed = join(folder, 'node_modules/net-sdk');
  mkdirSync(installed, { recursive: true });
  const [tarball = ''] = readdirSync(DIST).filter((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', join(DIST, tarball), '-C', installed, '--strip-components=1']);
  symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  const programs = readdirSync(GUIDES).flatMap((guide) => {
    const text = readFileSync(join(GUIDES, guide), 'utf8');
    return [...text.matchAll(/^```js\b[^\n]*\n([^]*?)^```/gm)].map(([, program = ''], index) => {
      const name = `${guide.replace('.md', '')}-${index}.mjs`;
      writeFileSync(join(folder, name), program);
      return name;
    });
  });
  assert.ok(programs.length >= 10);
  const project = { compilerOptions: OPTIONS, files: programs };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  const { stdout } = spawnSync(
    join(ROOT, 'node_modules/.bin/tsc'),
    ['-p', folder, '--pretty', 'false'],
    {
      encoding: 'utf8',
    },
  );
  const errors = stdout.split('\n').filter((line) => line !== '' && !NEEDS_NARROWING.test(line));
  assert.deepEqual(errors, []);
});
