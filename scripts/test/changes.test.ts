/** The runner in a repository of its own: after a green run it runs what a change can affect, and nothing less. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PARSER = fileURLToPath(new URL('../../node_modules/oxc-parser', import.meta.url));
const PARSER_BINDINGS = fileURLToPath(new URL('../../node_modules/@oxc-parser', import.meta.url));
const PARSER_TYPES = fileURLToPath(new URL('../../node_modules/@oxc-project', import.meta.url));

test('a green run is remembered, a red one is not, and CI runs everything', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'changes-'));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
  for (const folder of ['packages/x/src', 'scripts', 'node_modules', 'bin'])
    mkdirSync(join(root, folder), { recursive: true });
  cpSync(HERE, join(root, 'scripts/test'), {
    recursive: true,
    filter: (file) => !file.endsWith('.test.ts'),
  });
  for (const path of [PARSER, PARSER_BINDINGS, PARSER_TYPES])
    symlinkSync(path, join(root, path.slice(path.indexOf('node_modules'))));
  // The checks are npm scripts, which this test replaces.
  write('bin/npm', '#!/bin/sh\nexit 0\n');
  chmodSync(join(root, 'bin/npm'), 0o755);
  write('.gitignore', 'node_modules\n');
  write('packages/x/package.json', '{}');
  for (const name of ['a', 'b']) {
    write(`packages/x/src/${name}.ts`, `export const fails = false;`);
    write(
      `packages/x/src/${name}.test.ts`,
      `import { test } from 'node:test';\nimport { fails } from './${name}.ts';\ntest('${name}', () => { if (fails) throw new Error('it fails'); });`,
    );
  }
  execFileSync('git', ['init', '--quiet', root]);
  const run = (...args: string[]): string => {
    const env = {
      ...process.env,
      PATH: `${root}/bin:${process.env['PATH']}`,
      CI: undefined,
      NODE_TEST_CONTEXT: undefined,
    };
    const [args_, ci] = args[0] === 'CI' ? [args.slice(1), { CI: '1' }] : [args, {}];
    const command = [join(root, 'scripts/test/main.ts'), '--unit', ...args_];
    const options = { cwd: root, env: { ...env, ...ci }, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync(process.execPath, command, options);
    return stdout + stderr;
  };

  assert.match(run(), /\n2 passed, 0 failed/);
  write('packages/x/src/b.ts', `export const fails = true;`);
  assert.match(run(), /1 file has changed[^]*1 of 2 test files[^]*\n0 passed, 1 failed/);
  // A run of selected tests leaves the remembered state as it was.
  write('packages/x/src/b.ts', `export const fails = 1 > 2;`);
  assert.match(run(), /1 of 2 test files[^]*\n1 passed, 0 failed/);
  assert.match(run('CI'), /\n2 passed, 0 failed/);
  write('packages/x/src/a.ts', `export const fails = true;`);
  assert.match(run('--all'), /\n1 passed, 1 failed/);
});
