import { Argument, type Command } from 'commander';
import { labCall } from '../../lab-call.ts';
import { addNodeOptions, type NodeOptions } from '../../node-address.ts';
import type { Terminal } from '../../terminal.ts';

const MODES = { on: 'automatic', off: 'none', each: 'each' } as const;

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(
    command.addArgument(
      new Argument('<how>', 'on, off, or each: one block for each intent').choices(
        Object.keys(MODES),
      ),
    ),
  ).action((how: keyof typeof MODES, options: NodeOptions) =>
    labCall(options, terminal, ['mode', { mode: MODES[how] }]),
  );
}
