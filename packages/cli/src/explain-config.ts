/** Explains a configuration file: each value, where it comes from, and what applies a change. */
import { CommandError, isKnownError } from './command-error.ts';
import { answer } from './output.ts';
import { columns } from './printable.ts';
import type { Config, Setting } from './run-config.ts';
import { ROLES } from './roles.ts';
import type { Terminal } from './terminal.ts';

/** @throws CommandError if a start with this file would be refused */
export async function explain(
  config: Config,
  options: { json?: boolean | undefined },
  terminal: Terminal,
): Promise<void> {
  const { path, role, namesRole, of, settings } = config;
  try {
    await of.requireStartable(config.options as never);
  } catch (error) {
    if (!isKnownError(error)) throw error;
    throw new CommandError(error.message, 'CONFIG_INVALID', 'usage');
  }
  const document = { schema: 'NET-CONFIG-CHECK/1', path, role, namesRole, settings };
  const { is, command } = ROLES[role];
  const set = settings.filter(({ from }) => from !== 'unset');
  const unset = settings.filter(({ from }) => from === 'unset').map(({ key }) => key);
  const live = settings.filter(({ applies }) => applies === 'SIGHUP').map(({ key }) => key);
  answer(terminal, { json: options.json === true }, document, () =>
    [
      `${path} is valid: role ${role}${namesRole ? '' : ' (add it to the file)'}, which ${is} (${command}).`,
      '',
      columns([['option', 'value', 'from', 'changed by'], ...set.map(rowOf)]),
      '',
      `  not set: ${unset.join(', ')}`,
      `  SIGHUP applies: ${live.join(', ')}. The others wait for the next start.`,
    ].join('\n'),
  );
}

const rowOf = ({ key, value, from, applies }: Setting): string[] => [
  key,
  typeof value === 'string' ? value : JSON.stringify(value),
  from,
  applies === 'SIGHUP' ? 'SIGHUP' : 'a start',
];
