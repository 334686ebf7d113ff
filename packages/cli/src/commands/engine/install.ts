import { COMETBFT, defaultEngineDir, installCometbft } from '@netd/engine/cometbft-binary';
import type { Command } from 'commander';
import { answer, factsText } from '../../output.ts';
import type { Terminal } from '../../terminal.ts';

interface EngineInstallOptions {
  engineDir?: string;
  binary?: string;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .option('--binary <path>', `take this binary of CometBFT ${COMETBFT.version}, build none`)
    .option(
      '--engine-dir <path>',
      'directory to keep it in (default: $NET_ENGINE_DIR or ~/.netd/engines)',
    )
    .option('--json', 'print the path and the version as JSON')
    .action((options: EngineInstallOptions) => install(options, terminal));
}

async function install(options: EngineInstallOptions, terminal: Terminal): Promise<void> {
  const { path, kept } = await installCometbft({
    engineDir: options.engineDir ?? defaultEngineDir(),
    ...(options.binary !== undefined && { binary: options.binary }),
    onStep: (sentence) => terminal.note(`  ${sentence} …`),
    signal: terminal.interruption(),
  });
  const { version } = COMETBFT;
  answer(terminal, options, { path, version, kept }, () =>
    [
      kept ? `CometBFT ${version} is installed already.` : `CometBFT ${version} is installed.`,
      factsText([['file', path]]),
    ].join('\n'),
  );
}
