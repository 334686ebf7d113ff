import { restore, type Restored } from '@netd/node';
import { Option, type Command } from 'commander';
import { answer } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';
import type { Terminal } from '../terminal.ts';

interface RestoreOptions {
  dataDir: string;
  from: string;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .requiredOption('--from <directory>', 'where netd backup has put it')
    .addOption(
      new Option('-d, --data-dir <path>', 'an empty directory, with at most keys/ in it')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .option('--json', 'print what was restored as JSON')
    .action((options: RestoreOptions) => run(options, terminal));
}

async function run(options: RestoreOptions, terminal: Terminal): Promise<void> {
  const bar = new ProgressBar('restoring', options.json === true ? null : process.stderr);
  let isShown = false;
  const restored = await restore({
    from: options.from,
    dataDir: options.dataDir,
    onProgress: ({ height, target }) => {
      if (!isShown) bar.start(target, height);
      isShown = true;
      bar.update(height, 'blocks executed');
    },
  }).finally(() => bar.stop());
  answer(terminal, options, restored, () => restoredText(restored));
}

function restoredText(restored: Restored): string {
  const { path, chainId, height, blockHash, executed } = restored;
  return [
    `Restored ${chainId} up to block ${height} in ${path} (${executed} blocks executed after its database).`,
    `  block  ${blockHash}`,
    `  Checked: each file against backup.json, the certificate of block ${height - executed}, the root of the state after it, and the blocks executed since.`,
    `  Not checked: earlier blocks and single records, which anyone who can write the backup can change. netd verify -d ${path} replays them all.`,
    `  ${next(restored)}`,
  ].join('\n');
}

function next({ follower, ofValidators, lastSigned, height }: Restored): string {
  if (follower) return 'It is of a follower: netd follow goes on with it.';
  if (ofValidators) {
    return [
      'It is of one of several validators: read and verify it. No node starts from it, because CometBFT has no backup.',
      '  The peers have the blocks: netd start in a new --data-dir. A lost validator needs netd recover --validator first.',
    ].join('\n');
  }
  const signed =
    lastSigned === null
      ? 'Put keys/operator.json and keys/validator.json there, but no last-signed.json of a backup.'
      : lastSigned > height
        ? `Its validator has signed block ${lastSigned}: it does not start before that is back.`
        : `Its validator has signed block ${lastSigned}, which is here.`;
  return `${signed}\n  Blocks since come from followers: netd recover --from URL, then netd dev, on this machine only.`;
}
