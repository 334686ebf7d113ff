import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

interface Configured {
  configure: (command: Command, terminal: Terminal) => void;
}

interface CommandEntry {
  description: string;
  /** Shown in the list of commands. Default: `[options]`, or `<command>` if there are subcommands. */
  usage?: string;
  examples: readonly string[];
  /** Loads the command; absent if it does nothing without a subcommand. */
  load?: () => Promise<Configured>;
  children?: Readonly<Record<string, CommandEntry>>;
  isDefault?: true;
}

export type CommandTable = Readonly<Record<string, CommandEntry>>;

export interface Program {
  name: string;
  description: string;
  commands: CommandTable;
}
