/** Addresses in the sources of the pages. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const SOURCES = join(import.meta.dirname, '..');

test('no page links to the root of its host, which may not be that of the node', () => {
  const found = globSync('**/*.{ts,tsx}', { cwd: SOURCES })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => {
      const text = readFileSync(join(SOURCES, path), 'utf8');
      const links = text.match(/(?:\b(?:href|src)=\{?|\b(?:fetch|assign|open)\()["'`]\/.*/g) ?? [];
      return links.map((link) => `${path}: ${link}`);
    });
  assert.deepEqual(found, []);
});
