import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { test } from 'node:test';

const PACKAGES = join(import.meta.dirname, '..', '..');

/** Makes replays depend on time, place or runner. */
const BANNED: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a clock', /\b(?:Date|performance|Temporal)\b/],
  ['chance', /\bMath\s*\.\s*random\b|\bgetRandomValues\b|\brandomBytes\b|\brandomUUID\b/],
  ['a timer', /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask)\b/],
  ['the environment', /\bprocess\s*[.[]|\bglobalThis\b|\bnavigator\b/],
  ['a module of Node', /(?:from|import)\s*\(?\s*['"]node:/],
  ['a locale', /\bIntl\b|\blocaleCompare\b|\btoLocale[A-Z]/],
  ['a module loaded late', /\bimport\s*\(|\brequire\s*\(/],
];

const TIME = join('protocol', 'src', 'time.ts');
/** Pure uses of `Date`, allowed once each in one file. */
const CALENDAR = ['Date.parse(timestamp)', 'new Date(ms).toISOString()'];

/** Strips comments, and the quoted class name. */
function codeOf(file: string): string {
  const code = readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replaceAll("'Date'", "''");
  return file.endsWith(TIME) ? CALENDAR.reduce((text, use) => text.replace(use, ''), code) : code;
}

const sources = globSync(
  ['ledger', 'protocol'].map((name) => join(PACKAGES, name, 'src', '**', '*.ts')),
).filter(
  (file) =>
    !file.endsWith('.test.ts') &&
    !file.includes(`${sep}testing${sep}`) &&
    // The only file for Node; web.ts gives the same bytes.
    !file.endsWith(join('protocol', 'src', 'platform', 'node.ts')),
);

test('the rule finds every banned construct', () => {
  for (const [line, name] of [
    ['const now = Date.now();', 'a clock'],
    ['Math.random()', 'chance'],
    ['setTimeout(() => {}, 1)', 'a timer'],
    ['process.env', 'the environment'],
    ["import { hash } from 'node:crypto';", 'a module of Node'],
    ["await import('node:fs')", 'a module of Node'],
    ['a.localeCompare(b)', 'a locale'],
  ] as const) {
    const [, pattern] = BANNED.find(([known]) => known === name)!;
    assert.match(line, pattern);
  }
});

test('ledger and protocol use no clock, chance, timer, environment or Node', () => {
  assert.ok(sources.length > 30, `only ${sources.length} sources were found`);
  const found = sources.flatMap((file) => {
    const code = codeOf(file);
    return BANNED.filter(([, pattern]) => pattern.test(code)).map(([name]) => `${file}: ${name}`);
  });
  assert.deepEqual(found, []);
});
