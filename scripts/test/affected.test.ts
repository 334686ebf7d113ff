/** Selects tests in a small tree of two packages, one kind of change after the other. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { affectedBy } from './affected.ts';

const FILES: Readonly<Record<string, string>> = {
  'packages/low/package.json':
    '{"exports": {".": "./src/index.ts", "./side": "./src/side.ts", "./kit/*": "./src/kit/*.ts"}}',
  'packages/low/src/index.ts': `export * from './base.ts';`,
  'packages/low/src/base.ts': `import type { Shape } from './shape.ts';\nexport const base = 1;`,
  'packages/low/src/shape.ts': 'export interface Shape {}',
  'packages/low/src/side.ts': `new URL('work.ts', import.meta.url);`,
  'packages/low/src/work.ts': '',
  'packages/low/src/lazy.ts': '',
  'packages/low/src/kit/deep/tool.ts': '',
  'packages/low/src/base.test.ts': `import { base } from './base.ts';`,
  'packages/low/src/side.test.ts': `import './side.ts';\nawait import('./lazy.ts');`,
  'packages/low/src/files.test.ts': `import { readFileSync } from 'node:fs';\nreadFileSync('x');`,
  'packages/high/package.json': '{"exports": {}, "dependencies": {"@netd/low": "1"}}',
  'packages/high/src/main.ts': `import { base } from '@netd/low';`,
  'packages/high/src/style.css': '',
  'packages/high/src/kit.test.ts': `import '@netd/low/kit/deep/tool';`,
  'packages/high/src/main.test.ts': `import './main.ts';`,
  'packages/high/src/start.test.ts': `import { spawn } from 'node:child_process';\nimport './main.ts';`,
  'scripts/tool.test.ts': `import { globSync } from 'node:fs';\nglobSync('x');`,
};
const TESTS = Object.keys(FILES).filter((file) => file.includes('.test.'));
const ROOT = `${mkdtempSync(join(tmpdir(), 'affected-'))}/`;
for (const [file, text] of Object.entries(FILES)) {
  mkdirSync(dirname(ROOT + file), { recursive: true });
  writeFileSync(ROOT + file, text);
}
after(() => rmSync(ROOT, { recursive: true }));

const LOOKING = ['low/src/files', 'high/src/start'];

for (const [change, file, expected] of [
  ['a file that others import', 'low/src/base.ts', ['low/src/base', 'high/src/main', ...LOOKING]],
  ['a type, which is not there at run time', 'low/src/shape.ts', LOOKING],
  ['the file of a worker', 'low/src/work.ts', ['low/src/side', ...LOOKING]],
  ['a file that is loaded late', 'low/src/lazy.ts', ['low/src/side', ...LOOKING]],
  ['a file that a pattern exports', 'low/src/kit/deep/tool.ts', ['high/src/kit', ...LOOKING]],
  ['a file that was removed', 'low/src/gone.ts', LOOKING],
  ['a package above', 'high/src/main.ts', ['high/src/main', 'high/src/start']],
  [
    'a style sheet: its whole package',
    'high/src/style.css',
    ['high/src/kit', 'high/src/main', 'high/src/start'],
  ],
  ['a test', 'low/src/base.test.ts', ['low/src/base']],
] as const) {
  test(`${change} selects the tests that can notice, and the scripts that read all files`, () => {
    const { files } = affectedBy([`packages/${file}`], TESTS, ROOT);
    const names = expected.map((name) => `packages/${name}.test.ts`);
    assert.deepEqual(files?.toSorted(), [...names, 'scripts/tool.test.ts'].toSorted());
  });
}

test('a document selects the tests that read files', () => {
  const { files, isPython } = affectedBy(['docs/a.md'], TESTS, ROOT);
  const expected = [...LOOKING.map((name) => `packages/${name}.test.ts`), 'scripts/tool.test.ts'];
  assert.deepEqual(files?.toSorted(), expected.toSorted());
  assert.equal(isPython, false);
});

for (const file of [
  'contract/openapi.json',
  'vectors/proofs.json',
  'package-lock.json',
  'packages/low/package.json',
  'scripts/test/run.ts',
  'tsconfig.json',
]) {
  test(`${file} affects everything`, () => {
    const { files, isPython, because } = affectedBy(['docs/a.md', file], TESTS, ROOT);
    assert.deepEqual([files, isPython, because], [null, true, file]);
  });
}

test('no change selects no test', () => {
  assert.deepEqual(affectedBy([], TESTS, ROOT), { files: [], isPython: false });
});
