/** docs/cli.md describes exactly the commands and options that exist. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ACTIONS } from '@netd/ledger';
import type { Command } from 'commander';
import type { CommandTable } from './command-entry.ts';
import { COMMANDS, NETD } from './command-table.ts';
import { optionRows, roleRows } from './configuration-table.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { buildProgram } from './build-program.ts';
import { processTerminal } from './terminal.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const page = read('docs/cli.md');
const program = await buildProgram(NETD, processTerminal(), null);

/** Commands that run until they are stopped. Scripts read their facts as printed; `dev --json` prints them on one line. */
const SERVICES = new Set(['blobs', 'follow', 'demo', 'mcp serve', 'testnet']);

interface Leaf {
  path: string;
  command: Command;
}

function leavesOf(command: Command, path: string): Leaf[] {
  return command.commands.flatMap((one) => {
    const name = `${path} ${one.name()}`.trim();
    return one.commands.length > 0 ? leavesOf(one, name) : [{ path: name, command: one }];
  });
}

const leaves = leavesOf(program, '');

/** Returns the cells of the table below a heading. */
function tableBelow(heading: string, within = page): string[][] {
  const [, section = ''] = within.split(`\n## ${heading}\n`);
  const lines = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|')),
  );
}

test('the table of commands is that of the command', () => {
  const rows = leaves.map(({ path, command }) => [`\`netd ${path}\``, command.description()]);
  assert.deepEqual(tableBelow('Commands'), rows);
});

test('the tables of a configuration file are those of the roles', async () => {
  const configuration = read('docs/configuration.md');
  assert.deepEqual(tableBelow('Roles', configuration), roleRows());
  assert.deepEqual(tableBelow('Options', configuration), await optionRows());
});

test('the table of exit codes is that of the command', () => {
  const rows = Object.values(EXIT_CODES).map(({ code, meaning }) => [`${code}`, meaning]);
  assert.deepEqual(tableBelow('Exit codes'), rows);
});

test('every variable that more than one command reads is described', () => {
  const options = leaves.flatMap(({ command }) => command.options);
  const byVariable = Map.groupBy(options, ({ envVar }) => envVar);
  const described = tableBelow('Environment').map(([name]) => (name ?? '').replaceAll('`', ''));
  const operations = read('docs/operations.md');
  for (const [name, [option, ...others]] of byVariable) {
    if (name === undefined || others.length === 0) continue;
    const isDescribed = described.includes(name) || operations.includes(String(option?.long));
    assert.ok(isDescribed, `describe ${name} in docs/cli.md or docs/operations.md`);
  }
});

test('every command has help with an example, and answers scripts', () => {
  for (const { path, command } of leaves) {
    assert.match(command.helpInformation(), /\nExamples?:\n {2}\S+/, path);
    const name = path.split(' ')[0] ?? '';
    if (name === 'join') continue; // This is a separate program, which has the option too.
    const json = command.options.some(({ long }) => long === '--json');
    assert.equal(json, !SERVICES.has(path), path);
    for (const option of command.options) {
      const { flags, long, description, hidden, defaultValueDescription } = option;
      const defaultValue: unknown = option.defaultValue;
      assert.ok(hidden || description.length > 3, `${path} ${long}`);
      if (!flags.includes('<amount>') || defaultValue === undefined) continue;
      assert.match(defaultValueDescription ?? '', / NET$/, `${path} ${long}`);
    }
  }
});

test('the examples are commands that there are, with options that they have', () => {
  const examples = (entries: typeof COMMANDS): string[] =>
    Object.values(entries).flatMap((one) => [...one.examples, ...examples(one.children ?? {})]);
  for (const example of examples(COMMANDS)) {
    const words = example.replaceAll(/"[^"]*"/g, 'text').split(' ');
    let command = program;
    for (const word of words)
      command = command.commands.find((one) => one.name() === word) ?? command;
    assert.notEqual(command, program, example);
    for (const word of words.filter((one) => one.startsWith('-') && one.length > 1)) {
      const known = [...command.options.flatMap(({ long, short }) => [long, short]), '--help'];
      assert.ok(known.includes(word), `${example}: ${word}`);
    }
  }
});

/** A command that a document tells readers to type. */
interface Told {
  /** Words after the program's name. */
  words: string[];
  /** True if the command is on a line of its own, which readers can copy. */
  isLine: boolean;
}

function toldIn(text: string): Told[] {
  const [spans, lines]: string[][] = [[], []];
  // Every second part is inside a code fence.
  for (const [index, part] of text
    .replaceAll(/\\\n\s*/g, '')
    .split(/^```.*$/m)
    .entries()) {
    const isFenced = index % 2 === 1;
    lines?.push(...part.split('\n').filter((line) => isFenced || line.startsWith('    ')));
    if (!isFenced) spans?.push(...[...part.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span));
  }
  const wordsIn = (code: string): string[][] =>
    code
      .replaceAll(/"?\$\([^)]*\)"?/g, 'text')
      .replaceAll(/"[^"]*"|'[^']*'/g, 'text')
      .replaceAll(/<[^>]*>/g, 'VALUE')
      .replace(/(?:^|\s)#.*$/, '')
      .split(/&&|[|;>]/)
      .map((part) => part.trim().replace(/^npx /, ''))
      .filter((part) => /^(?:netd|net-follower) [a-z-]/.test(part))
      .map((part) => part.split(/\s+/).slice(1));
  const told = (isLine: boolean, code: string[] = []): Told[] =>
    code.flatMap(wordsIn).map((words) => ({ words, isLine }));
  return [...told(false, spans), ...told(true, lines)];
}

/** @returns what is wrong with the line, or null */
function mistakeIn({ words, isLine }: Told): string | null {
  let entries: CommandTable | undefined = COMMANDS;
  let command = program;
  const rest = [...words];
  while (entries !== undefined) {
    const table: CommandTable = entries;
    const isNamed = Object.hasOwn(table, rest[0] ?? '');
    const name = isNamed
      ? rest.shift()
      : Object.keys(table).find((one) => table[one]?.isDefault === true);
    command = command.commands.find((one) => one.name() === name) ?? command;
    entries = name === undefined ? undefined : table[name]?.children;
  }
  if (command === program) return words[0]?.startsWith('-') ? null : 'there is no such command';
  if (command.name() === 'join') return null; // This is a separate program.
  const known = [...command.options.flatMap(({ long, short }) => [long, short]), '--help'];
  const options = rest.filter((word) => /^--?[a-z]/.test(word));
  const unknown = options.find((word) => !known.includes(word.replace(/=.*/, '')));
  if (unknown !== undefined) return `there is no ${unknown}`;
  const missing = command.options.find(
    ({ long, mandatory }) => mandatory && !rest.includes(long ?? ''),
  );
  if (missing && isLine && !rest.includes('--help')) return `${missing.long} is missing`;
  if (command.name() !== 'act') return null;
  // An agent may come before the action. Words in capitals are placeholders.
  const [first, second = first] = rest.filter((word) => !word.startsWith('-'));
  if (first === undefined || second === undefined || /^[A-Z]+$/.test(second)) return null;
  return ACTIONS.has(first) || ACTIONS.has(second) ? null : 'there is no such action';
}

test('documents tell to type what there is', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const paths = ['*.md', '{docs,handouts}/**/*.md', '{packages,clients}/*/*.md'].flatMap((one) =>
    globSync(one, { cwd: root }),
  );
  const told = paths.flatMap((path) =>
    toldIn(readFileSync(root + path, 'utf8')).map((one) => ({ path, ...one })),
  );
  assert.ok(told.length >= 250, `${told.length} commands`);
  const mistakes = told.flatMap(({ path, ...one }) => {
    const mistake = mistakeIn(one);
    return mistake === null ? [] : [`${path}: netd ${one.words.join(' ')}: ${mistake}`];
  });
  assert.deepEqual(mistakes, []);
});

test('README, CONTRIBUTING and package.json ask for the same Node', () => {
  const root = (name: string): string =>
    readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
  const { engines } = JSON.parse(root('package.json')) as { engines: { node: string } };
  for (const name of ['README.md', 'CONTRIBUTING.md']) {
    const [, version] = /You need Node (\d+) or newer with npm/.exec(root(name)) ?? [];
    assert.equal(`>=${version}`, engines.node, name);
  }
});
