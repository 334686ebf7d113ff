/** Paths in our documents lead to existing files. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

/** `engine/chain/chain.ts` is short for a path below packages/engine/src. */
const PACKAGES = readdirSync(new URL('packages/', ROOT)).join('|');
const SHORT = new RegExp(`^(${PACKAGES})/(?!src/)`);
const FOLDERS = /^(?:packages|docs|scripts|vectors|contract|conformance|bench|clients)\//;

/** Returns the paths in backticks, cut before a placeholder such as `<domain>` or `*`. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`([^`\s]+)`/g)].flatMap(([, quoted = '']) => {
    const path = FOLDERS.test(quoted) ? quoted : quoted.replace(SHORT, 'packages/$1/src/');
    // A fresh clone has no build output.
    return FOLDERS.test(path) && !/node_modules|\/dist\b/.test(path)
      ? [path.replace(/[^/]*[<*].*$/, '')]
      : [];
  });
}

for (const [document, least] of [
  ['docs/glossary.md', 80],
  ['CONTRIBUTING.md', 45],
  ['SECURITY.md', 70],
  ['docs/operations.md', 2],
  ['docs/protocol.md', 1],
  ['docs/architecture.md', 55],
] as const) {
  test(`${document} names files that are there`, () => {
    const paths = pathsIn(read(document));
    assert.ok(paths.length >= least, `${paths.length} paths`);
    assert.deepEqual(
      paths.filter((path) => !existsSync(new URL(path, ROOT))),
      [],
    );
  });
}

test('decisions name files that are there', () => {
  const paths = globSync('docs/decisions/*.md', { cwd: fileURLToPath(ROOT) }).flatMap((document) =>
    pathsIn(read(document)).map((path) => [document, path] as const),
  );
  assert.ok(paths.length >= 50, `${paths.length} paths`);
  assert.deepEqual(
    paths.filter(([, path]) => !existsSync(new URL(path, ROOT))),
    [],
  );
});

test('CONTRIBUTING.md names functions that are in the files it names', () => {
  const named = [
    ...read('CONTRIBUTING.md').matchAll(/((?:`\w+`(?:, | and )?)+) in\s+`([^`\s]+\.(?:ts|py))`/g),
  ].flatMap(([, names = '', path = '']) => {
    const file = path.replace(SHORT, 'packages/$1/src/');
    // "beside it": a path without a folder.
    return FOLDERS.test(file)
      ? [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [file, name] as const)
      : [];
  });
  assert.ok(named.length >= 15, `${named.length} names`);
  assert.deepEqual(
    named.filter(([file, name]) => !new RegExp(`\\b${name}\\b`).test(read(file))),
    [],
  );
});

test('every entry of the glossary names a path', () => {
  const rows = read('docs/glossary.md').match(/^- \*\*.*(?:\n {2}.*)*/gm) ?? [];
  assert.ok(rows.length >= 80, `${rows.length} rows`);
  for (const row of rows) assert.ok(pathsIn(row).length > 0, row);
});

test('a decision names every library that is shipped', () => {
  const found = (pattern: string): string[] =>
    globSync(pattern, { cwd: fileURLToPath(ROOT) }).map((path) => read(path));
  const decisions = found('docs/decisions/*.md').join('\n');
  const libraries = found('packages/*/package.json').flatMap((text) =>
    Object.keys((JSON.parse(text) as { dependencies?: object }).dependencies ?? {}),
  );
  assert.ok(libraries.length >= 20, `${libraries.length} libraries`);
  const unnamed = libraries.filter(
    (name) => !name.startsWith('@netd/') && !decisions.includes(`\`${name}\``),
  );
  assert.deepEqual(unnamed, []);
});
