// oxlint-disable-next-line import/no-nodejs-modules -- nothing of this folder takes part in execution
import assert from 'node:assert/strict';
import type { ErrorEntry, HttpErrorEntry } from '../error-entry.ts';

/** Fails where a code is misspelt, or its sentences are not those of a table: a title without a period, an advice with one. */
export function assertErrorTable(
  table: Readonly<Record<string, ErrorEntry | HttpErrorEntry>>,
): void {
  const titles = new Set<string>();
  for (const [code, entry] of Object.entries(table)) {
    const { title, advice } = entry;
    assert.match(code, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
    assert.match(title, /^\S.*[^.]$/, code);
    assert.match(advice, /^\S.*\.$/, code);
    assert.ok(!titles.has(title), `${code}: another code says the same`);
    titles.add(title);
    if ('status' in entry) assert.ok(entry.status >= 400 && entry.status < 600, code);
  }
}
