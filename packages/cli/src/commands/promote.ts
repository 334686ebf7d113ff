import { promote, type Promoted } from '@netd/node';
import { Option, type Command } from 'commander';
import { answer } from '../output.ts';
import type { Terminal } from '../terminal.ts';

interface PromoteOptions {
  dataDir: string;
  keys: string;
  oldWriterIsGone?: boolean;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .requiredOption(
      '--keys <directory>',
      'keys/ of the old writer, with operator.json, validator.json and last-signed.json',
    )
    .option(
      '--old-writer-is-gone',
      'your word that it never signs again, and that no follower has a later block: only if its keys are a copy',
    )
    .addOption(
      new Option('-d, --data-dir <path>', 'the data directory of the follower, which is stopped')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .option('--json', 'print what was promoted as JSON')
    .action(async (options: PromoteOptions) => {
      const { dataDir, keys, oldWriterIsGone = false } = options;
      const promoted = await promote({ dataDir, keys, oldWriterIsGone });
      answer(terminal, options, promoted, () => promotedText(promoted));
    });
}

function promotedText({
  path,
  chainId,
  validatorId,
  height,
  blockHash,
  retired,
}: Promoted): string {
  const old = retired === null ? '' : `\n  The old writer does not start any more: see ${retired}.`;
  return `${path} is the writer of ${chainId} now: ${validatorId} signs block ${height + 1} next.\n  block  ${blockHash}${old}\n  Start it with netd dev, and have the other followers name it.`;
}
