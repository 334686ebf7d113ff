import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readFile } from 'node:fs/promises';
import { sha256Hex } from '@netd/protocol';
import { Option, type Command } from 'commander';
import { CommandError, UsageError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { readInputText } from '../input-text.ts';
import { requireAction } from '../known-action.ts';
import { withReplay } from '../with-replay.ts';
import { wholeNumber } from '../option-values.ts';
import { answer } from '../output.ts';
import { payloadFromWords } from '../payload-words.ts';
import { inputBytes } from '../stored-input.ts';
import type { Terminal } from '../terminal.ts';
import { traceText } from '../trace-text.ts';

interface ReplayOptions {
  at?: number;
  act: string[];
  dataDir: string;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .option('--at <height>', 'after this block; default the newest', wholeNumber(0, 1e15))
    .requiredOption(
      '--act <agent action member=value...>',
      'who would have done what, as netd act takes it; no key is needed',
    )
    .addOption(
      new Option('-d, --data-dir <path>', 'the data directory; its node may be running')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .option('--json', 'print the answer as JSON')
    .action((options: ReplayOptions) => replay(options, terminal));
}

async function replay(options: ReplayOptions, terminal: Terminal): Promise<void> {
  const [actorId, name, ...words] = options.act;
  if (actorId === undefined || name === undefined) {
    throw new UsageError(
      '--act takes an agent, an action and its members: --act ada transfer to=bob amount=5NET',
    );
  }
  const database = join(resolve(options.dataDir), 'chain');
  if (!existsSync(database)) {
    throw new CommandError(
      `there is no chain in ${resolve(options.dataDir)}: name its data directory with -d`,
    );
  }
  const { payload: schema } = requireAction(name);
  const payload = await payloadFromWords(words, schema, {
    readFile: async (path) => (await readFile(path, 'utf8')).trimEnd(),
    readInput: () => readInputText(terminal.input),
    store: async (file) => sha256Hex(await inputBytes(file, terminal)),
  });
  const at = options.at === undefined ? {} : { at: options.at };
  const tried = await withReplay(async ({ replayDataDir, traceReport }) => {
    const { outcome, trace, height, timestamp } = await replayDataDir(options.dataDir, {
      actorId,
      action: name,
      payload,
      ...at,
    });
    const would = outcome.ok ? 'accepted' : 'refused';
    return { outcome: would, height, timestamp, trace: traceReport(trace) };
  });
  const { outcome, height, timestamp } = tried;
  const title = `${terminal.paint('bold', `${name} by ${actorId}`)} would have been ${outcome} in block ${height}, after ${timestamp}`;
  answer(terminal, options, tried, () => traceText(terminal, title, tried.trace));
  if (outcome !== 'accepted') terminal.exitCode = EXIT.failed;
}
