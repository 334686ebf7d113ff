import { resolve } from 'node:path';
import { recover, type Recovered } from '@netd/node';
import { Option, type Command } from 'commander';
import { UsageError } from '../command-error.ts';
import { httpUrl } from '../option-values.ts';
import { answer } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';
import type { Terminal } from '../terminal.ts';

interface RecoverOptions {
  dataDir: string;
  from?: string[];
  asIs?: boolean;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .option(
      '--from <url>',
      'a node that has followed the chain; name several if you have them',
      (text: string, before: string[] | undefined) => [...(before ?? []), httpUrl(text)],
    )
    .option(
      '--as-is',
      'go on with the chain as it is here: only if no later block exists anywhere, and no other process signs with this key',
    )
    .addOption(
      new Option('-d, --data-dir <path>', 'the data directory of the validator')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .option('--json', 'print what was recovered as JSON')
    .action((options: RecoverOptions) => run(options, terminal));
}

async function run(options: RecoverOptions, terminal: Terminal): Promise<void> {
  const { dataDir, from = [], asIs = false } = options;
  if (from.length > 0 === asIs) {
    throw new UsageError(
      'name the nodes that have the blocks with --from URL, or say --as-is if no later block exists anywhere',
    );
  }
  const bar = new ProgressBar('taking blocks back', options.json === true ? null : process.stderr);
  let isShown = false;
  const recovered = await recover({
    dataDir: resolve(dataDir),
    from,
    onProgress: ({ height, target, transitions }) => {
      if (!isShown) bar.start(target, height);
      isShown = true;
      bar.update(height, `${transitions} transitions`);
    },
  }).finally(() => bar.stop());
  answer(terminal, options, recovered, () => recoveredText(recovered, asIs));
}

function recoveredText({ path, from, height, blockHash }: Recovered, asIs: boolean): string {
  const what = asIs
    ? `The chain in ${path} goes on as it is, from block ${height}.`
    : `The chain in ${path} has all blocks up to ${height} (${height - from} taken back, each verified and executed).`;
  return `${what}\n  block  ${blockHash}\n  Its validator signs block ${height + 1} next: start netd dev, on this machine only.`;
}
