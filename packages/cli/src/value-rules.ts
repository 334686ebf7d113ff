/**
 * Treats empty environment variables as unset. Empty values on the command line are errors, because `reset -d
 * "$DIR"` must not fall back to the default.
 */
import { readFileSync } from 'node:fs';
import { InvalidArgumentError, type Command, type Option } from 'commander';
import { UsageError } from './command-error.ts';

const ON = ['1', 'true', 'yes', 'on'];
const OFF = ['0', 'false', 'no', 'off'];

/** Removes our empty variables from this process and its children. */
export function unsetEmptyVariables(env: NodeJS.ProcessEnv = process.env): void {
  for (const [name, value] of Object.entries(env)) {
    if (
      value?.trim() === '' &&
      (name.startsWith('NET_') || name === 'OTEL_EXPORTER_OTLP_ENDPOINT')
    ) {
      delete env[name];
    }
  }
}

/** Variables with secrets. `NAME_FILE` names a file that contains the value, as for secrets of Docker and Kubernetes. */
export const SECRETS = [
  'NET_PASSPHRASE',
  'NET_CONTROL_TOKEN',
  'NET_BLOBS_BUCKET_KEY_ID',
  'NET_BLOBS_BUCKET_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
] as const;

const LONGEST_SECRET = 65_536;

/** @throws UsageError if a file cannot be read, or the variable itself is set too */
export function readSecretFiles(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of SECRETS) {
    const variable = `${name}_FILE`;
    const path = env[variable]?.trim() ?? '';
    if (path === '') continue;
    if (env[name] !== undefined)
      throw new UsageError(`${name} and ${variable} are both set: keep one`);
    let text: string;
    try {
      text = readFileSync(path, 'utf8').trim();
    } catch (error) {
      throw new UsageError(`${variable}: the file cannot be read (${(error as Error).message})`);
    }
    if (text === '' || text.length > LONGEST_SECRET) {
      throw new UsageError(`${variable}: ${path} is ${text === '' ? 'empty' : 'too long'}`);
    }
    env[name] = text;
    delete env[variable];
  }
}

export function applyValueRules(command: Command, env: NodeJS.ProcessEnv = process.env): void {
  for (const option of command.options) {
    if (option.required || option.optional) refuseEmpty(option);
    readSwitch(option, env);
  }
}

function refuseEmpty(option: Option): void {
  const parse = option.parseArg as ((text: string, before: unknown) => unknown) | undefined;
  option.argParser((text: string, before: unknown) => {
    if (text.trim() === '') {
      throw new InvalidArgumentError(`It is empty: give a value, or leave ${option.long} away.`);
    }
    if (parse) return parse.call(option, text, before);
    if (!option.variadic) return text;
    return before === option.defaultValue || !Array.isArray(before) ? [text] : [...before, text];
  });
}

/** Commander would turn a switch on for any value of its variable. */
function readSwitch({ envVar, required, optional }: Option, env: NodeJS.ProcessEnv): void {
  const value = envVar === undefined || required ? undefined : env[envVar];
  if (envVar === undefined || value === undefined) return;
  const word = value.trim().toLowerCase();
  if (OFF.includes(word)) delete env[envVar];
  else if (!optional && !ON.includes(word)) {
    throw new UsageError(
      `${envVar} is "${value}", and switches something on or off: write ${ON.join(', ')}, or ${OFF.join(', ')}`,
    );
  }
}
