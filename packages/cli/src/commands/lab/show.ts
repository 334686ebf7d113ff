import type { Command } from 'commander';
import { labCall } from '../../lab-call.ts';
import { addNodeOptions, type NodeOptions } from '../../node-address.ts';
import type { Terminal } from '../../terminal.ts';

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(command).action((options: NodeOptions) => labCall(options, terminal, null));
}
