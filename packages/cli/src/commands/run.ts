import type { Command } from 'commander';
import { UsageError } from '../command-error.ts';
import { errorLog, type LogOptions } from '../error-log.ts';
import { explain } from '../explain-config.ts';
import { reloadedBySignal } from '../reload.ts';
import { readConfig, type Config } from '../run-config.ts';
import type { Terminal } from '../terminal.ts';

export interface OnceOptions {
  checkConfig?: boolean;
  onlyHere?: boolean;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .requiredOption(
      '--config <file>',
      'a JSON object: a role, and its options in camel case (docs/configuration.md)',
    )
    .option('--check-config', 'check the file as netd config check does, and start nothing')
    .option(
      '--only-here',
      'confirm that no other process signs with this key, after the data directory was moved',
    )
    .option('--json', 'print the facts for scripts as a line of JSON when it answers')
    .action((options: OnceOptions & { config: string }) =>
      runByFile(() => readConfig(options.config), options, terminal),
    );
}

/** @param read reads the file, at the start and at each SIGHUP */
export async function runByFile(
  read: () => Promise<Config>,
  { checkConfig, onlyHere, json }: OnceOptions,
  terminal: Terminal,
): Promise<void> {
  const config = await read();
  const options = config.options as never;
  if (checkConfig === true) {
    await explain(config, { json }, terminal);
    return;
  }
  if (onlyHere === true && config.role !== 'validator') {
    throw new UsageError(`--only-here is for a validator, and the role is "${config.role}"`);
  }
  const onLive = reloadedBySignal(config as never, read as never);
  if (!config.namesRole) errorLog(config.options as LogOptions).warn(roleMissing(config));
  await config.of.requireStartable(options);
  await config.of.run(options, {
    terminal,
    json,
    onlyHere,
    onLive: onLive as never,
  });
}

const roleMissing = ({ path, role }: Config): string =>
  `${path} names no role, so netd reads it as a ${role}: add "role": "${role}"`;
