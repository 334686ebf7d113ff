import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { VerifyReport } from '@netd/node/verify';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { hash } from '../option-values.ts';
import { answer } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';
import type { Terminal } from '../terminal.ts';

interface VerifyOptions {
  dataDir: string;
  url?: string;
  genesisHash?: string;
  minHeight?: number;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .addOption(
      new Option('-d, --data-dir <path>', 'the data directory; its node may be running')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .option('--url <url>', 'download and replay the blocks of this node instead')
    .addOption(new Option('--genesis-hash <hash>', 'the genesis hash you trust').argParser(hash))
    .addOption(
      new Option(
        '--min-height <number>',
        'the height the chain must reach, for example that of your last receipt (default: 1 of a node, 0 of a directory)',
      ).argParser(heightOption),
    )
    .option('--json', 'print the report as JSON')
    .action((options: VerifyOptions) => verify(options, terminal));
}

async function verify(options: VerifyOptions, terminal: Terminal): Promise<void> {
  const database = join(resolve(options.dataDir), 'chain');
  if (options.url === undefined && !existsSync(database)) {
    throw new CommandError(
      `there is no chain in ${resolve(options.dataDir)}: name its data directory with -d, or a node with --url, for example --url http://127.0.0.1:8420`,
    );
  }
  const bar = new ProgressBar('verifying', options.json === true ? null : process.stderr);
  const trusted = options.genesisHash === undefined ? {} : { genesisHash: options.genesisHash };
  const watch = {
    ...trusted,
    // A node without blocks proves nothing.
    minHeight: options.minHeight ?? (options.url === undefined ? 0 : 1),
    onStart: (height: number) => bar.start(height),
    onProgress: ({ height, transitions }: { height: number; transitions: number }) =>
      bar.update(height, `${transitions} transitions`),
  };
  const { verifyDataDir, verifyUrl } = await import('@netd/node/verify');
  let report: VerifyReport;
  try {
    report =
      options.url === undefined
        ? await verifyDataDir(options.dataDir, watch)
        : await verifyUrl(options.url, watch);
  } catch (error) {
    bar.stop();
    throw new CommandError(
      `this could not be verified: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  bar.stop();
  if (!report.ok) terminal.exitCode = EXIT.failed;
  else if (options.url === undefined) {
    const { noteDone } = await import('@netd/node');
    const done = { at: new Date().toISOString(), height: report.height };
    const unnoted = noteDone(options.dataDir, 'verify', done);
    if (unnoted !== null) terminal.note(`netd: ${unnoted}`);
  }
  answer(terminal, options, report, () => summary(report));
}

function summary(report: VerifyReport): string {
  const seconds = (report.milliseconds / 1_000).toFixed(1);
  if (report.fault) {
    const { height, reason } = report.fault;
    const where = height === null ? '' : ` at height ${height}`;
    return `NOT VALID${where}: ${reason}.`;
  }
  const anchor = report.anchored
    ? 'It starts from the genesis you trust.'
    : `It agrees with itself; to be sure it is the chain you mean, compare the genesis hash with a source you trust (--genesis-hash).`;
  return [
    `Valid: ${report.chainId} up to height ${report.height}, ${report.transitions} transitions replayed in ${seconds} s.`,
    `  block    ${report.blockHash}`,
    `  state    ${report.stateRoot}`,
    `  genesis  ${report.genesisHash}`,
    ...(report.laboratory
      ? ['It is a laboratory: a chain for tests, whose time obeyed and whose NET is worth nothing.']
      : []),
    ...(report.fork
      ? [
          `It is a fork of ${report.fork.chainId} (genesis ${report.fork.genesisHash}) at block ${report.fork.height}, verified from the state after that block on.`,
        ]
      : []),
    anchor,
  ].join('\n');
}

function heightOption(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('A height is needed.');
  return Number(text);
}
