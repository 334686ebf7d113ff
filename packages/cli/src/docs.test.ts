/** docs/cli.md says what the command does, and no more. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Command } from 'commander';
import { COMMANDS, NETD } from './command-table.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { buildProgram } from './build-program.ts';
import { processTerminal } from './terminal.ts';

const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
const program = await buildProgram(NETD, processTerminal(), null);

/** What runs until it is stopped; its facts are for scripts as they are. `dev --json` says them in a line, too. */
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

/** The rows of the table below a heading, as cells. */
function tableBelow(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
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

test('the table of exit codes is that of the command', () => {
  const rows = Object.values(EXIT_CODES).map(({ code, meaning }) => [`${code}`, meaning]);
  assert.deepEqual(tableBelow('Exit codes'), rows);
});

test('the environment that more than one command reads is described, and read', () => {
  const counts = new Map<string, number>();
  for (const { command } of leaves) {
    for (const { envVar } of command.options) {
      if (envVar !== undefined) counts.set(envVar, (counts.get(envVar) ?? 0) + 1);
    }
  }
  const described = tableBelow('Environment').map(([name]) => (name ?? '').replaceAll('`', ''));
  const services =
    /^NET_(LOG_LEVEL|LOG_FORMAT|TRUST_PROXY|WRITE_RATE|READ_RATE|MAX_CONNECTIONS|ADDRESS_CONNECTIONS|SECURITY_CONTACT|OPEN)$/;
  for (const [name, count] of counts) {
    if (count > 1 && !services.test(name)) assert.ok(described.includes(name), name);
  }
});

test('every command has help with an example, and answers scripts', () => {
  for (const { path, command } of leaves) {
    assert.match(command.helpInformation(), /\nExamples?:\n {2}\S+/, path);
    const name = path.split(' ')[0] ?? '';
    if (name === 'join') continue; // a program of its own, which has it too
    const json = command.options.some(({ long }) => long === '--json');
    assert.equal(json, !SERVICES.has(path), path);
    for (const { long, description, hidden } of command.options) {
      assert.ok(hidden || description.length > 3, `${path} ${long}`);
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

test('README, CONTRIBUTING and package.json ask for the same Node', () => {
  const root = (name: string): string =>
    readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
  const { engines } = JSON.parse(root('package.json')) as { engines: { node: string } };
  for (const name of ['README.md', 'CONTRIBUTING.md']) {
    const [, version] = /You need Node (\d+) or newer with npm/.exec(root(name)) ?? [];
    assert.equal(`>=${version}`, engines.node, name);
  }
});
