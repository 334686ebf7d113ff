/** Facts about a command that are known before it is loaded. */
import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

interface Configured {
  configure: (command: Command, terminal: Terminal) => void;
}

interface CommandEntry {
  description: string;
  /** Arguments in the list of commands. */
  usage: string;
  /** Working commands below the help, without the name of the program. */
  examples: readonly string[];
  /** Loads the command; missing if only its subcommands do something. */
  load?: () => Promise<Configured>;
  children?: Readonly<Record<string, CommandEntry>>;
  /** True for the subcommand that its parent runs by default. */
  isDefault?: true;
}

export type CommandTable = Readonly<Record<string, CommandEntry>>;

/** A program: its name and its commands. */
export interface Program {
  name: string;
  description: string;
  commands: CommandTable;
}
