/** contract/commands.json: the command line. */
import type { Argument, Command, Option } from 'commander';
import { buildProgram, type CommandTable, EXIT_CODES, NETD, processTerminal } from '@netd/cli';

export async function commands(): Promise<unknown> {
  const program = await buildProgram(NETD, processTerminal(), null);
  return {
    schema: 'NET-COMMAND-CONTRACT/1',
    commands: leaves(program, NETD.commands, []),
    exitCodes: Object.values(EXIT_CODES),
  };
}

/** Returns commands that do something. Groups are part of their names. */
function leaves(parent: Command, table: CommandTable, path: readonly string[]): object[] {
  return parent.commands.flatMap((command) => {
    const entry = table[command.name()];
    const name = [...path, command.name()];
    if (entry?.children) return leaves(command, entry.children, name);
    return {
      name: name.join(' '),
      summary: command.description(),
      usage: `netd ${name.join(' ')} ${command.usage()}`,
      arguments: command.registeredArguments.map(argumentOf),
      options: command.options.filter(({ hidden }) => !hidden).map(optionOf),
      examples: (entry?.examples ?? []).map((example) => `netd ${example}`),
    };
  });
}

function argumentOf(argument: Argument): object {
  const { description, required, variadic } = argument;
  return { name: argument.name(), description, required, variadic };
}

function optionOf({ flags, description, mandatory, envVar, argChoices, ...option }: Option): object {
  const { defaultValue, defaultValueDescription } = option;
  return {
    flags,
    description,
    ...(mandatory ? { required: true } : {}),
    ...(argChoices ? { choices: argChoices } : {}),
    ...(defaultValue === undefined && defaultValueDescription === undefined
      ? {}
      : { default: defaultValueDescription ?? defaultValue }),
    ...(envVar === undefined ? {} : { env: envVar }),
  };
}
