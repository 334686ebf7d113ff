/** `netd reset`: delete the chain of a data directory. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { lockDataDir } from '@netd/node/data-dir-lock';
import { Option, type Command } from 'commander';
import { CommandError, UsageError } from '../command-error.ts';
import { answer } from '../output.ts';
import type { Terminal } from '../terminal.ts';

interface ResetOptions {
  dataDir: string;
  yes?: boolean;
  json?: boolean;
}

/**
 * Beside these nothing is touched: somebody may keep other things there. In this order: a genesis without `follow.json`
 * would look like that of a validator.
 */
const OF_THE_CHAIN = [
  'chain',
  'checkpoints',
  'restore',
  'demo',
  'house',
  'genesis.json',
  'keys',
  'dev.json',
  'fork.json',
  'follow.json',
];

export function configure(command: Command, terminal: Terminal): void {
  command
    .addOption(
      new Option('-d, --data-dir <path>', 'the data directory')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .option('-y, --yes', 'without asking')
    .option('--json', 'print what was deleted as JSON')
    .action((options: ResetOptions) => reset(options, terminal));
}

async function reset(options: ResetOptions, terminal: Terminal): Promise<void> {
  const root = resolve(options.dataDir);
  if (!existsSync(join(root, 'genesis.json'))) {
    throw new UsageError(`there is no chain in ${root}: name its data directory with -d`);
  }
  // Held until the end, so that no node starts in between.
  const unlock = lockDataDir(root);
  try {
    const there = readdirSync(root);
    const found = OF_THE_CHAIN.filter((name) => there.includes(name));
    const next = found.includes('follow.json')
      ? 'A netd follow there that names its nodes begins a new copy'
      : 'The next netd dev there begins a new chain';
    if (options.yes !== true) await confirm(root, found, terminal);
    for (const name of found) rmSync(join(root, name), { recursive: true, force: true });
    answer(
      terminal,
      options,
      { dataDir: root, deleted: found },
      () => `Deleted ${found.join(', ')} in ${root}. ${next}.`,
    );
  } finally {
    unlock();
  }
}

/** @throws UsageError where nobody can be asked, CommandError where the answer is anything but yes */
async function confirm(root: string, names: readonly string[], terminal: Terminal): Promise<void> {
  if (terminal.input.isTTY !== true) {
    throw new UsageError('nobody can be asked here: say --yes to delete the chain');
  }
  const keys = names.includes('keys') ? ", the operator's key among it" : '';
  const question = `Delete the chain in ${root} for good (${names.join(', ')})${keys}? Type yes: `;
  const reader = createInterface({ input: terminal.input, output: process.stderr });
  try {
    // Ctrl-C and Ctrl-D end the question without an answer.
    const left = new Promise<string>((resolvePromise) => {
      reader.once('SIGINT', () => resolvePromise(''));
      reader.once('close', () => resolvePromise(''));
    });
    const words = await Promise.race([reader.question(question), left]);
    if (words.trim().toLowerCase() !== 'yes') {
      throw new CommandError('nothing was deleted', 'NOT_CONFIRMED', 'interrupted');
    }
  } finally {
    reader.close();
  }
}
