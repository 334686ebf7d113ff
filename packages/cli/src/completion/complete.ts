import type { Argument, Command, Option } from 'commander';
import { buildProgram } from '../build-program.ts';
import { defaultKeyDir, listKeys } from '../key-store.ts';
import type { Program } from '../command-entry.ts';
import type { Terminal } from '../terminal.ts';

interface Proposal {
  value: string;
  description: string;
}

/**
 * @param typed words after the program's name; the last one ends at the cursor
 * @returns lines of value, tab, description
 */
export async function complete(
  of: Program,
  typed: readonly string[],
  terminal: Terminal,
): Promise<string[]> {
  const { words, joined } = joinAssignments(typed);
  const current = words.pop() ?? '';
  const path = words.filter((word) => !word.startsWith('-'));
  const program = await buildProgram(of, terminal, path);
  const { command, rest } = find(program, words);
  const proposals = await propose(command, rest, current);
  const before = joined ? current.slice(0, current.indexOf('=') + 1) : '';
  return proposals
    .filter(({ value }) => value.startsWith(current))
    .map(({ value, description }) => `${value.slice(before.length)}\t${description}`);
}

/** Joins words that bash splits at "=". `joined` is true if the shell knows only the end of the last word. */
function joinAssignments(typed: readonly string[]): { words: string[]; joined: boolean } {
  const words: string[] = [];
  let joined = false;
  for (let i = 0; i < typed.length; i++) {
    const word = typed[i] as string;
    joined = word === '=' && words.length > 0;
    if (joined) words.push(`${words.pop()}=${typed[++i] ?? ''}`);
    else words.push(word);
  }
  return { words, joined };
}

function find(program: Command, words: readonly string[]): { command: Command; rest: string[] } {
  let command = program;
  for (let i = 0; i < words.length; i++) {
    const child = command.commands.find((one) => one.name() === words[i]);
    if (!child) return { command, rest: words.slice(i) };
    command = child;
  }
  return { command, rest: [] };
}

async function propose(command: Command, rest: string[], current: string): Promise<Proposal[]> {
  const options = command.createHelp().visibleOptions(command);
  const pending = optionOf(options, rest.at(-1));
  if (pending && takesValue(pending)) return valuesOf(pending);
  if (current.startsWith('-')) {
    return options.map((option) => ({
      value: option.long ?? option.short ?? '',
      description: option.description,
    }));
  }
  if (command.commands.length > 0) {
    if (rest.some((word) => !word.startsWith('-'))) return [];
    const visible = command.createHelp().visibleCommands(command);
    return visible.map((one) => ({ value: one.name(), description: one.description() }));
  }
  const given = positional(rest, options);
  const known = command.registeredArguments;
  const argument =
    known[given.length] ?? (known.at(-1)?.variadic === true ? known.at(-1) : undefined);
  return argument ? forArgument(command, argument, given) : [];
}

const takesValue = (option: Option): boolean => option.required || option.optional;

const optionOf = (options: readonly Option[], word: string | undefined): Option | undefined =>
  options.find(({ long, short }) => word !== undefined && (word === long || word === short));

function positional(rest: readonly string[], options: readonly Option[]): string[] {
  return rest.filter((word, i) => {
    const before = optionOf(options, rest[i - 1]);
    return !word.startsWith('-') && !(before && takesValue(before));
  });
}

function valuesOf(option: Option): Proposal[] {
  if (option.argChoices) return option.argChoices.map(plain);
  return ['--as', '--agent'].includes(option.long ?? '') ? agents() : [];
}

const plain = (value: string): Proposal => ({ value, description: '' });

async function forArgument(
  command: Command,
  argument: Argument,
  given: readonly string[],
): Promise<Proposal[]> {
  if (argument.argChoices) return argument.argChoices.map(plain);
  switch (argument.name()) {
    case 'agent':
      return agents();
    case 'action':
      return [...(await actions()), ...agents()];
    case 'payload':
      return command.name() === 'act' ? afterAction(given) : [];
    case 'role': {
      const { ROLE_SETS } = await import('@netd/ledger');
      return Object.keys(ROLE_SETS).map((role) => plain(role.toLowerCase().replaceAll('_', '-')));
    }
    default:
      return [];
  }
}

function agents(): Proposal[] {
  const keys = listKeys(defaultKeyDir()).filter(({ sessionId }) => sessionId === null);
  return keys.map(({ actorId, chainId }) => ({ value: actorId, description: `on ${chainId}` }));
}

async function actions(): Promise<Proposal[]> {
  const { ACTIONS } = await import('@netd/ledger');
  return [...ACTIONS.values()].map(({ name, summary }) => ({ value: name, description: summary }));
}

async function afterAction([first = '', ...rest]: readonly string[]): Promise<Proposal[]> {
  const { ACTIONS } = await import('@netd/ledger');
  const [second = ''] = rest;
  if (ACTIONS.has(first) && !ACTIONS.has(second)) return members([first, ...rest]);
  return rest.length === 0 ? actions() : members(rest);
}

async function members([action = '', ...words]: readonly string[]): Promise<Proposal[]> {
  const { ACTIONS } = await import('@netd/ledger');
  const { properties = {} } = (ACTIONS.get(action)?.payload ?? {}) as {
    properties?: Record<string, { description?: string; enum?: string[] }>;
  };
  const given = new Set(words.map((word) => word.split('=')[0]));
  return Object.entries(properties)
    .filter(([name]) => !given.has(name))
    .flatMap(([name, { description = '', enum: choices }]) => [
      { value: `${name}=`, description },
      ...(choices ?? []).map((choice) => ({ value: `${name}=${choice}`, description: '' })),
    ]);
}
