/** What the command line knows of a command before it is loaded. */
import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

interface Configured {
  configure: (command: Command, terminal: Terminal) => void;
}

interface CommandEntry {
  description: string;
  /** The arguments that follow the name in the list of commands. */
  usage: string;
  /** Lines shown below the help: commands that work as they stand, without the name of the program. */
  examples: readonly string[];
  /** Loads the command itself; missing where only its subcommands do something. */
  load?: () => Promise<Configured>;
  children?: Readonly<Record<string, CommandEntry>>;
  /** Whether it is the one that is meant where its parent stands alone. */
  isDefault?: true;
}

export type CommandTable = Readonly<Record<string, CommandEntry>>;

/** A command line: its name and what it can do. */
export interface Program {
  name: string;
  description: string;
  commands: CommandTable;
}
