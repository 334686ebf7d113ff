import type { Command } from 'commander';
import { labCall } from '../../lab-call.ts';
import { addNodeOptions, type NodeOptions } from '../../node-address.ts';
import { wholeNumber } from '../../option-values.ts';
import type { Terminal } from '../../terminal.ts';

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(
    command.argument('[blocks]', 'how many, at most 10000', wholeNumber(1, 10_000), 1),
  ).action((blocks: number, options: NodeOptions) =>
    labCall(options, terminal, ['mine', { blocks }]),
  );
}
