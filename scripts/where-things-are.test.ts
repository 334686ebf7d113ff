/** The glossary and CONTRIBUTING send people to files that are there. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

/** What the glossary calls the packages. */
const ROOMS: Record<string, string> = {
  L: 'packages/ledger/src',
  N: 'packages/node/src',
  P: 'packages/protocol/src',
};
const FOLDERS = /^(?:packages|docs|scripts|vectors|contract|conformance|bench|clients)\//;

/** Of every text in backticks that is a path; what stands for a name, as `<domain>`, ends it. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`([^`\s]+)`/g)].flatMap(([, quoted = '']) => {
    const path = quoted.replace(/^([LNP])\//, (_, room: string) => `${ROOMS[room]}/`);
    return FOLDERS.test(path) ? [path.replace(/[^/]*<.*$/, '')] : [];
  });
}

for (const [document, least] of [
  ['docs/glossary.md', 80],
  ['CONTRIBUTING.md', 20],
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

test('every row of the glossary says where its word lives', () => {
  const rows = read('docs/glossary.md').match(/^\| (?!Term |---).*\|$/gm) ?? [];
  assert.ok(rows.length >= 80, `${rows.length} rows`);
  for (const row of rows) assert.ok(pathsIn(row).length > 0, row);
});
