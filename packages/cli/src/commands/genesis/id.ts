import { chosenIdFault, newChainId } from '@netd/node/chain-ids';
import type { Command } from 'commander';
import { UsageError } from '../../command-error.ts';
import { answer } from '../../output.ts';
import type { Terminal } from '../../terminal.ts';

interface IdOptions {
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .argument('<name>', 'beginning of the id')
    .option('--json', 'print the id as JSON')
    .action((name: string, options: IdOptions) => {
      const fault = chosenIdFault({ chainId: name, unique: true });
      if (fault !== null) throw new UsageError(fault);
      const chainId = newChainId(name);
      answer(terminal, options, { chainId }, () => chainId);
    });
}
