import type { Command } from 'commander';
import { explain } from '../../explain-config.ts';
import { readConfig } from '../../run-config.ts';
import type { Terminal } from '../../terminal.ts';

export function configure(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'a configuration file of netd run')
    .option('--json', 'print each option with its value and origin as JSON')
    .action(async (file: string, options: { json?: boolean }) => {
      await explain(await readConfig(file), options, terminal);
    });
}
