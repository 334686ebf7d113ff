import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import {
  asDataDirError,
  CHUNK_ENTRIES,
  DATABASE_ENTRIES,
  DRAFT_ENTRIES,
  removeEntry,
  type WrittenEntries,
} from '@netd/engine';
import { lockDataDir } from '@netd/node/data-dir-lock';
import { Option, type Command } from 'commander';
import { CommandError, UsageError } from '../command-error.ts';
import { isConfirmed } from '../confirm.ts';
import { answer } from '../output.ts';
import type { Terminal } from '../terminal.ts';

interface ResetOptions {
  dataDir: string;
  yes?: boolean;
  keys?: boolean;
  json?: boolean;
}

/**
 * Entries to delete, in this order: a genesis without `follow.json` would look like a validator's. Keys in
 * `house` and `demo` belong only to agents of this chain.
 */
const OF_THE_CHAIN: WrittenEntries = [
  [/^chain$/, DATABASE_ENTRIES],
  [
    /^checkpoints$/,
    [[/^([0-9a-f]{64}|draft-\d+-[0-9a-f]{8})$/, [[/^manifest\.json$/], ...CHUNK_ENTRIES]]],
  ],
  [/^restore$/, DRAFT_ENTRIES],
  [
    /^demo$/,
    [
      [/^cast\.json$/, 'document'],
      [/^keys$/, [[/\.json$/, 'document']]],
    ],
  ],
  [/^house$/, [[/^house-[a-z]+(-\d+)?(\.encryption)?\.json$/]]],
  [/^genesis\.json$/],
  [/^dev\.json$/, 'document'],
  [/^(fork|last-done)\.json$/, 'document'],
  [/^follow\.json$/],
];

const KEYS = 'keys';
const OF_THE_KEYS: WrittenEntries = [
  [
    /^(operator|operator\.next|operator\.old-[0-9a-f]{8}|validator|owner|last-signed|last-signed\.retired|signs-here|signs-elsewhere)\.json$/,
  ],
  [/^\.\d+\.[a-z0-9]+\.draft$/],
];
const SET_ASIDE = 'old-keys';

export function configure(command: Command, terminal: Terminal): void {
  command
    .addOption(
      new Option('-d, --data-dir <path>', 'the data directory')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .option('-y, --yes', 'without asking')
    .option(
      '--keys',
      `delete the keys of operator and validator too, which are set aside in ${SET_ASIDE}/ without it`,
    )
    .option('--json', 'print the deleted paths, and the path of the keys, as JSON')
    .action((options: ResetOptions) => reset(options, terminal));
}

async function reset(options: ResetOptions, terminal: Terminal): Promise<void> {
  const root = resolve(options.dataDir);
  if (!existsSync(join(root, 'genesis.json'))) {
    throw new UsageError(`there is no chain in ${root}: name its data directory with -d`);
  }
  // Hold the lock to the end, so that no node starts meanwhile.
  const unlock = lockDataDir(root);
  try {
    const there = readdirSync(root);
    const hasKeys = there.includes(KEYS);
    const entries: WrittenEntries =
      options.keys === true ? [...OF_THE_CHAIN, [/^keys$/, OF_THE_KEYS]] : OF_THE_CHAIN;
    const found = entries.flatMap(([pattern]) => there.filter((name) => pattern.test(name)));
    const next = found.includes('follow.json')
      ? 'A netd follow there that names its nodes begins a new follower'
      : 'The next netd dev there begins a new chain';
    if (options.yes !== true) await confirm(root, found, terminal);
    // Move the keys first. Otherwise an interruption could leave a chain without keys that a start would
    // continue.
    const keysPath = hasKeys && options.keys !== true ? setKeysAside(root) : null;
    const left = found.flatMap((name) => removeEntry(root, name, entries));
    const kept =
      (keysPath === null ? '' : ` Its keys are in ${keysPath}.`) +
      (left.length === 0 ? '' : ` Files that netd did not write stay: ${left.join(', ')}.`);
    answer(
      terminal,
      options,
      { dataDir: root, deleted: found, keys: keysPath, left },
      () => `Deleted ${found.join(', ')} in ${root}.${kept} ${next}.`,
    );
  } catch (error) {
    throw asDataDirError(root, error);
  } finally {
    unlock();
  }
}

/** Moves all keys away or none. A new chain needs new keys, because old signatures stay valid. */
function setKeysAside(root: string): string {
  const [folder, keys] = [join(root, SET_ASIDE), join(root, KEYS)];
  const own = readdirSync(keys).filter((file) =>
    OF_THE_KEYS.some(([pattern]) => pattern.test(file)),
  );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = chainIdIn(root);
  const taken = new Set(readdirSync(folder));
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}-${count}`;
  const path = join(folder, free);
  mkdirSync(path, { mode: 0o700 });
  const moved: string[] = [];
  try {
    for (const file of own) {
      renameSync(join(keys, file), join(path, file));
      moved.push(file);
    }
  } catch (error) {
    for (const file of moved) renameSync(join(path, file), join(keys, file));
    rmdirSync(path);
    throw error;
  }
  // Keep a link, because the operator may have put the folder on another disk.
  if (readdirSync(keys).length === 0 && !lstatSync(keys).isSymbolicLink()) rmdirSync(keys);
  return path;
}

function chainIdIn(root: string): string {
  try {
    const { chainId } = JSON.parse(readFileSync(join(root, 'genesis.json'), 'utf8')) as {
      chainId?: unknown;
    };
    return typeof chainId === 'string' && /^[\w][\w.-]{0,63}$/.test(chainId) ? chainId : 'chain';
  } catch {
    return 'chain';
  }
}

async function confirm(root: string, names: readonly string[], terminal: Terminal): Promise<void> {
  if (terminal.input.isTTY !== true) {
    throw new UsageError('there is no terminal to ask at: pass --yes to delete the chain');
  }
  const keys = names.includes(KEYS) ? ", the operator's key among it" : '';
  const question = `Delete the chain in ${root} for good (${names.join(', ')})${keys}?`;
  if (!(await isConfirmed(terminal, question))) {
    throw new CommandError('nothing was deleted', 'NOT_CONFIRMED', 'interrupted');
  }
}
