/** Tests and codes that docs/bad-days.md and docs/attacks.md name exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BLOB_ERROR_TABLE } from '@netd/blobs';
import { FORMAT_ERROR_TABLE } from '@netd/formats';
import { SIGNER_ERROR_TABLE } from '@netd/mcp-signer';
import { ERROR_TABLE } from '@netd/protocol';
import { AGENT_ERROR_TABLE } from '@netd/sdk';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const rows = (read('docs/bad-days.md').match(/^\| (?!Day |---|\*\*).*\|$/gm) ?? []).map((row) => {
  const [, day = '', answer = '', held = ''] = row.split('|').map((cell) => cell.trim());
  return { day, answer, held };
});

/** @param held paths and test names */
function requireTests(day: string, held: string): void {
  const files = held.split('; ');
  for (const file of files) {
    const path = /^`([^`]+)`/.exec(file)?.[1] ?? '';
    const names = [...file.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name);
    assert.ok(existsSync(new URL(path, ROOT)), `${day}: ${path}`);
    assert.ok(names.length > 0, `${day}: no test of ${path}`);
    const text = read(path);
    for (const name of names) assert.ok(text.includes(name), `${day}: ${path} has no “${name}”`);
  }
}

test('every bad day is held by tests that are there', () => {
  assert.ok(rows.length >= 28, `${rows.length} days`);
  for (const { day, held } of rows) requireTests(day, held);
});

test('every attack is played by tests that are there, or says that it is open', () => {
  const attacks = read('docs/attacks.md').match(/^\| (?!Attack |---|\*\*).*\|$/gm) ?? [];
  assert.ok(attacks.length >= 30, `${attacks.length} attacks`);
  for (const row of attacks) {
    const [, attack = '', cost, gain, payer, played = ''] = row
      .split('|')
      .map((cell) => cell.trim());
    assert.ok(cost && gain && payer, attack);
    if (!played.startsWith('no test: ')) requireTests(attack, played);
  }
});

test('the table names only error codes that exist', () => {
  const tables = [
    ERROR_TABLE,
    AGENT_ERROR_TABLE,
    BLOB_ERROR_TABLE,
    FORMAT_ERROR_TABLE,
    SIGNER_ERROR_TABLE,
  ];
  const known = new Set(tables.flatMap((table) => Object.keys(table)));
  const named = rows.flatMap(({ answer }) =>
    [...answer.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code),
  );
  assert.ok(named.length >= 25, `${named.length} codes`);
  assert.deepEqual(
    named.filter((code) => !known.has(code)),
    [],
  );
});
