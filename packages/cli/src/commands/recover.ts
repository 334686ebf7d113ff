import { resolve } from 'node:path';
import { recover, recoverValidator, type Recovered, type RecoveredValidator } from '@netd/node';
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
  validator?: boolean;
  genesis?: string;
  engineHome?: string;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .option(
      '--from <urls>',
      'nodes that have followed the chain, with commas between; name several if you have them',
      (text: string, before: string[] | undefined) => [
        ...(before ?? []),
        ...text.split(',').map((each) => httpUrl(each.trim())),
      ],
    )
    .option(
      '--as-is',
      'go on with the chain as it is here: only if no later block exists anywhere, and no other process signs with this key; with --validator, your word that the lost machine signed nothing later either',
    )
    .option(
      '--validator',
      'for one validator among several that lost its disk: write a new record of what its key may have signed',
    )
    .option('--genesis <file>', 'with --validator, the genesis, if it was lost too')
    .option('--engine-home <path>', 'with --validator, as of netd start')
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
  if (options.validator === true) return runValidator(options, terminal);
  for (const name of ['genesis', 'engineHome'] as const) {
    const flag = name === 'genesis' ? name : 'engine-home';
    if (options[name] !== undefined) throw new UsageError(`--${flag} goes with --validator`);
  }
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

async function runValidator(options: RecoverOptions, terminal: Terminal): Promise<void> {
  const { dataDir, from = [], asIs = false, genesis: genesisFile, engineHome } = options;
  if (from.length === 0 && !asIs) {
    throw new UsageError(
      'name nodes of the chain with --from URL,URL; or, before the first block of the chain, say --as-is if this key has signed nothing',
    );
  }
  if (from.length === 1) {
    terminal.note('netd: one node can hide its latest blocks: name others with --from, too');
  }
  const recovered = await recoverValidator({
    dataDir: resolve(dataDir),
    genesisFile,
    engineHome,
    from,
    asIs,
    onHeight: (height) => terminal.note(`  height ${height} of CometBFT is certified`),
    onFault: (url, reason) => terminal.note(`netd: ${url} does not count: ${reason}`),
  });
  answer(terminal, options, recovered, () => validatorText(recovered));
}

function validatorText({
  validatorId,
  certifiedHeight,
  recordHeight,
  setCanChange,
}: RecoveredValidator): string {
  return [
    `${validatorId} has a new record: its key signs only above height ${recordHeight} of CometBFT.`,
    `  certified  height ${certifiedHeight}; until the record is passed, this validator misses blocks`,
    '  risk       If the old machine, or a copy of its disk, still runs, both sign, and a tenth of the',
    '             bond is lost. Make sure that it is gone. The node halts if it sees votes of a twin.',
    ...(setCanChange
      ? [
          '  safer      The set of this chain can change: apply with a new key as another validator, and',
          '             resign this one. Then you need to know nothing about the lost disk.',
        ]
      : []),
    'Start the node as before: netd start --genesis … --peers …',
  ].join('\n');
}

function recoveredText({ path, from, height, blockHash }: Recovered, asIs: boolean): string {
  const what = asIs
    ? `The chain in ${path} goes on as it is, from block ${height}.`
    : `The chain in ${path} has all blocks up to ${height} (${height - from} taken back, each verified and executed).`;
  return `${what}\n  block  ${blockHash}\n  Its validator signs block ${height + 1} next: start netd dev, on this machine only.`;
}
