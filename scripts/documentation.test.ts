/** The form of what people read: lines that fit a screen, decisions that are listed. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const find = (pattern: string): string[] => globSync(pattern, { cwd: ROOT }).toSorted();
const linesOf = (path: string): string[] => readFileSync(ROOT + path, 'utf8').split('\n');

const LONGEST_LINE = 160;
/** Of a README, which is also read in a terminal beside code. */
const WIDEST_TABLE = 120;
/** Beyond this a decision is more than one page. */
const LONGEST_DECISION = 75;
const MOST_DECISIONS = 40;
const MOST_WORDS_OF_DECISIONS = 15_000;

/** A row of a table, a member of an example, a line of a configuration and the head of a skill cannot be broken. */
const isOnePiece = (line: string): boolean =>
  /^(?:\||ExecStart=|description: )/.test(line) || /^\s*"\w+": "\S+",?$/.test(line);

test(`lines of Markdown have fewer than ${LONGEST_LINE} characters`, () => {
  const paths = [
    '*.md',
    'docs/**/*.md',
    'handouts/**/*.md',
    '{bench,packages/*,clients/*}/*.md',
  ].flatMap(find);
  assert.ok(paths.length >= 50, `${paths.length} files`);
  const tooLong = paths.flatMap((path) =>
    linesOf(path).flatMap((line, index) =>
      line.length < LONGEST_LINE || isOnePiece(line)
        ? []
        : [`${path}:${index + 1} has ${line.length}`],
    ),
  );
  assert.deepEqual(tooLong, []);
});

test(`tables of READMEs have at most ${WIDEST_TABLE} columns, of what a newcomer reads next they fit a line`, () => {
  const rowsOf = (pattern: string): string[] =>
    find(pattern).flatMap((path) => linesOf(path).filter((line) => line.startsWith('|')));
  const wide = [
    ...rowsOf('{.,packages/*,clients/*}/README.md').filter((row) => row.length > WIDEST_TABLE),
    ...rowsOf('{CONTRIBUTING,docs/architecture}.md').filter((row) => row.length >= LONGEST_LINE),
  ];
  assert.deepEqual(wide, []);
});

test('the index of decisions lists every page once, under its title', () => {
  const listed = linesOf('docs/decisions/README.md').filter((line) => line.startsWith('- '));
  const pages = find('docs/decisions/[0-9]*.md').map((path) => {
    const name = basename(path);
    const [heading = ''] = linesOf(path);
    return `- [${name.slice(0, 3)}](${name}) ${heading.replace(/^# \d{3}:? /, '')}`;
  });
  assert.ok(pages.length >= 30, `${pages.length} pages`);
  assert.deepEqual(listed.toSorted(), pages.toSorted());
});

test('CHANGELOG.md has at most 100 lines', () => {
  const lines = linesOf('CHANGELOG.md').length - 1;
  assert.ok(lines <= 100, `${lines} lines`);
});

test('docs/architecture.md has at most 5,000 words, an hour with the code beside it', () => {
  const words = linesOf('docs/architecture.md').join(' ').split(/\s+/).length;
  assert.ok(words <= 5_000, `${words} words`);
});

test(`a decision has at most ${LONGEST_DECISION} lines`, () => {
  const long = find('docs/decisions/[0-9]*.md').filter(
    (path) => linesOf(path).length > LONGEST_DECISION,
  );
  assert.deepEqual(long, []);
});

test(`decisions are at most ${MOST_DECISIONS} pages with ${MOST_WORDS_OF_DECISIONS} words`, () => {
  const pages = find('docs/decisions/[0-9]*.md');
  // Signs of Markdown, such as those of a list or a table, are no words.
  const words = pages.flatMap((path) =>
    linesOf(path)
      .join('\n')
      .match(/\S*[\p{L}\p{N}]\S*/gu),
  );
  assert.ok(pages.length <= MOST_DECISIONS, `${pages.length} pages: merge two by topic`);
  assert.ok(words.length <= MOST_WORDS_OF_DECISIONS, `${words.length} words`);
});

test('text names only decisions that exist', () => {
  const files = find('docs/decisions/[0-9]*.md').map((path) => basename(path));
  const exists = (name: string): boolean => files.some((file) => file.startsWith(name));
  const paths = globSync('**/*.{ts,tsx,mjs,py,md,json,yml}', {
    cwd: ROOT,
    exclude: (name) => /node_modules|\/dist\b|^dist|\.git\b|vectors|generated|\.venv/.test(name),
  });
  assert.ok(paths.length >= 1_000, `${paths.length} files`);
  const wrong = paths.flatMap((path) => {
    const text = readFileSync(ROOT + path, 'utf8');
    const named = [
      ...text.matchAll(/decisions\/(\d{3}(?:-[\w-]+\.md)?)/g),
      ...text.matchAll(/\]\((\d{3}-[\w-]+\.md)/g),
      ...text.matchAll(/\bdecisions? (\d{3})\b/gi),
      ...text.matchAll(/\bdecisions \d{3}(?:, | and )(\d{3})\b/gi),
      ...(/^bench\/README|^docs\/decisions/.test(path) ? text.matchAll(/\((0\d\d|1\d\d)\)/g) : []),
    ];
    return named.flatMap(([, name = '']) => (exists(name) ? [] : [`${path}: ${name}`]));
  });
  assert.deepEqual(wrong, []);
});

test('links between documents lead to files that are there', () => {
  const broken = [...find('*.md'), ...find('docs/**/*.md'), 'bench/README.md'].flatMap((path) => {
    const text = linesOf(path).join('\n');
    return [...text.matchAll(/\]\(([^):#\s]+\.md)(?:#[^)]*)?\)/g)]
      .map(([, link = '']) => new URL(link, `file:///${path}`).pathname.slice(1))
      .filter((target) => !existsSync(ROOT + target))
      .map((target) => `${path}: ${target}`);
  });
  assert.deepEqual(broken, []);
});
