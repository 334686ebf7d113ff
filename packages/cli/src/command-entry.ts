import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

interface Configured {
  configure: (command: Command, terminal: Terminal) => void;
}

interface CommandEntry {
  description: string;
  /** Arguments in the list of commands; default `[options]`, or `<command>` if there are subcommands. */
  usage?: string;
  examples: readonly string[];
  /** Loads the command; missing if only its subcommands do something. */
  load?: () => Promise<Configured>;
  children?: Readonly<Record<string, CommandEntry>>;
  /** True for the subcommand that its parent runs by default. */
  isDefault?: true;
}

export type CommandTable = Readonly<Record<string, CommandEntry>>;

export interface Program {
  name: string;
  description: string;
  commands: CommandTable;
}
