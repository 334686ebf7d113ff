import { nearest } from '@netd/protocol/suggest';
import { VERSION } from '@netd/protocol/version';
import { Command, type OutputConfiguration } from 'commander';
import type { CommandTable, Program } from './command-entry.ts';
import { programName } from './program-name.ts';
import { applyValueRules } from './value-rules.ts';
import type { Terminal } from './terminal.ts';

class SuggestingCommand extends Command {
  override createCommand(name?: string): Command {
    return new SuggestingCommand(name);
  }

  unknownOption(given: string): void {
    const { _allowUnknownOption: isAllowed } = this as { _allowUnknownOption?: boolean };
    if (isAllowed === true) return;
    const [flag = given] = given.split('=');
    const known = this.createHelp().visibleOptions(this);
    const names = known.flatMap(({ long }) => long?.replace('--', '') ?? []);
    const near = flag.startsWith('--') ? nearest(flag.slice(2), names) : [];
    const hint = suggestion(near.map((name) => `--${name}`));
    this.error(`error: unknown option '${flag}'${hint}`, { code: 'commander.unknownOption' });
  }

  unknownCommand(): void {
    const [name = ''] = this.args;
    const known = this.createHelp().visibleCommands(this);
    const names = known.map((command) => command.name());
    const hint = suggestion(nearest(name, names));
    this.error(`error: unknown command '${name}'${hint}`, { code: 'commander.unknownCommand' });
  }
}

const suggestion = (near: readonly string[]): string =>
  near.length === 0 ? '' : `\n(Did you mean ${near.join(' or ')}?)`;

/** @param named words of the command line, whose files alone are loaded; null loads all commands */
export async function buildProgram(
  { name, description, commands }: Program,
  terminal: Terminal,
  named: readonly string[] | null,
  output: OutputConfiguration = {},
): Promise<Command> {
  const program = new SuggestingCommand(name)
    .configureOutput(output)
    .description(description)
    .version(VERSION, '-v, --version')
    .exitOverride()
    .showHelpAfterError(`(${programName()} --help shows how)`)
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` });
  await addCommands(program, commands, named, { terminal, path: [] });
  return program;
}

async function addCommands(
  parent: Command,
  entries: CommandTable,
  named: readonly string[] | null,
  within: { terminal: Terminal; path: readonly string[] },
): Promise<void> {
  const { terminal, path } = within;
  const [first] = named ?? [];
  const isNamed = first !== undefined && Object.hasOwn(entries, first);
  for (const [name, entry] of Object.entries(entries)) {
    const { description, examples, load, children, isDefault } = entry;
    const { usage = children ? '<command>' : '[options]' } = entry;
    const command = parent
      .command(name, { isDefault: isDefault === true })
      .showHelpAfterError(`(${programName()} ${[...path, name].join(' ')} --help shows how)`)
      .description(description)
      .usage(usage);
    const wanted = named === null || (isNamed ? name === first : isDefault === true);
    if (!wanted) continue;
    if (children) {
      const below = { terminal, path: [...path, name] };
      await addCommands(command, children, named?.slice(1) ?? null, below);
    }
    const lines = examples.map((example) => `  ${programName()} ${example}`);
    const text = `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.join('\n')}\n`;
    // Do this before the command's file loads, because it may replace the help.
    const help = command.helpInformation.bind(command);
    command.helpInformation = (context) => help(context) + text;
    if (load) (await load()).configure(command, terminal);
    applyValueRules(command, named === null ? {} : process.env);
  }
}
