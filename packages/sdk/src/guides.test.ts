/** The programs of the guides, as a reader pastes them into a strict TypeScript project. guides.slow.test.ts of the CLI runs them. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempDir } from '@netd/testkit/temp-dir';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DIST = join(ROOT, 'packages/sdk/dist');

const OPTIONS = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom', 'esnext.disposable', 'dom.asynciterable'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
};

test('programs of the guides are strict TypeScript as printed', (t) => {
  const folder = tempDir(t);
  const installed = join(folder, 'node_modules/net-sdk');
  mkdirSync(installed, { recursive: true });
  const [tarball = ''] = readdirSync(DIST).filter((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', join(DIST, tarball), '-C', installed, '--strip-components=1']);
  for (const name of ['@types', 'hono', 'zod']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const guides = readdirSync(join(ROOT, 'docs/guides')).map((name) => `guides/${name}`);
  const programs = [...guides, 'agents.md'].flatMap((guide) => {
    const text = readFileSync(join(ROOT, 'docs', guide), 'utf8');
    return [...text.matchAll(/^```(?:js|ts)\b[^\n]*\n(import [^]*?)^```/gm)].map(
      ([, program = ''], index) => {
        const name = `${basename(guide, '.md')}-${index}.mts`;
        writeFileSync(join(folder, name), program);
        return name;
      },
    );
  });
  assert.ok(programs.length >= 13);
  const project = { compilerOptions: OPTIONS, files: programs };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(compiler, ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
  assert.deepEqual(stdout.split('\n').filter(Boolean), []);
});
