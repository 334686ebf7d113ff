import type { ForkFrom } from '@netd/node';
import { Option, type Command } from 'commander';
import { UsageError } from './command-error.ts';
import { hash, httpUrl, wholeNumber } from './option-values.ts';
import { ProgressBar } from './progress-bar.ts';

export interface ForkOptions {
  forkFrom?: string;
  at?: number;
  genesisHash?: string;
}

export function addForkOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--fork-from <url>',
        'with --lab: begin with the state of the network of this node, under another chain id',
      )
        .env('NET_FORK_FROM')
        .argParser(httpUrl),
    )
    .addOption(
      new Option('--at <height>', 'fork at the newest checkpoint at or below this height')
        .env('NET_FORK_AT')
        .argParser(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    )
    .addOption(
      new Option('--genesis-hash <hash>', 'the genesis hash of the network that you trust')
        .env('NET_FORK_GENESIS_HASH')
        .argParser(hash),
    );
}

export function forkFrom(
  { forkFrom: url, at, genesisHash, lab, json }: ForkOptions & { lab?: boolean; json?: boolean },
  signal?: AbortSignal,
): { forkFrom?: ForkFrom } {
  if (url === undefined) {
    if (at === undefined && genesisHash === undefined) return {};
    throw new UsageError(
      '--at and --genesis-hash describe a fork: name the node to fork from with --fork-from',
    );
  }
  if (lab !== true) {
    throw new UsageError('only a laboratory begins as a fork: name --lab with --fork-from');
  }
  const bar = new ProgressBar('forking', json === true ? null : process.stderr);
  let isShown = false;
  return {
    forkFrom: {
      url,
      at,
      genesisHash,
      ...(signal ? { signal } : {}),
      onNotice: (sentence) => console.error(`netd: ${sentence}`),
      onProgress: ({ phase, height, done, total }) => {
        if (phase === 'done') {
          bar.stop();
          return;
        }
        if (!isShown) bar.start(100, 0);
        isShown = true;
        bar.update(
          total === 0 ? 100 : Math.floor((100 * done) / total),
          `${phase}, block ${height}`,
        );
      },
    },
  };
}
