import { backup, noteDone, type BackupMade } from '@netd/node';
import { Option, type Command } from 'commander';
import { answer } from '../output.ts';
import type { Terminal } from '../terminal.ts';

interface BackupOptions {
  dataDir: string;
  to: string;
  full?: boolean;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .requiredOption('--to <directory>', 'directory of the backup, best on another disk')
    .option('--full', 'copy the database anew instead of adding the blocks since')
    .addOption(
      new Option('-d, --data-dir <path>', 'the data directory; its node may be running')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .option('--json', 'print what was backed up as JSON')
    .action(async (options: BackupOptions) => {
      const { dataDir, to, full = false } = options;
      const stopAt = process.env['NET_FAILPOINT'];
      const made = await backup({
        dataDir,
        to,
        full,
        reach: (part) => {
          if (stopAt === `backup.${part}`) process.kill(process.pid, 'SIGKILL');
        },
      });
      const at = new Date().toISOString();
      const unnoted = noteDone(dataDir, 'backup', { at, height: made.height });
      if (unnoted !== null) terminal.note(`netd: ${unnoted}`);
      answer(terminal, options, made, () => madeText(made));
    });
}

function madeText({ path, kind, chainId, from, height, blockHash, bytes }: BackupMade): string {
  const what = {
    full: `Copied the database of ${chainId} at block ${height} (${bytes} bytes)`,
    blocks: `Added the blocks ${(from ?? 0) + 1} to ${height} of ${chainId} (${bytes} bytes)`,
    'nothing new': `${chainId} has no block after ${height}, which the backup has`,
  }[kind];
  return `${what}: ${path}, verified.\n  block  ${blockHash}\n  No keys are in it: keep those of keys/ sealed elsewhere, but for last-signed.json.`;
}
