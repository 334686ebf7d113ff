import { didYouMean } from '@netd/protocol';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command, type Option } from 'commander';
import { CommandError } from './command-error.ts';
import { addNodeOptions, type DevOptions } from './commands/dev.ts';

const NOT_HERE: Readonly<Record<string, string>> = {
  lab: 'a laboratory is for tests: netd dev --lab',
  open: 'open mode is for one machine: netd dev --open',
  chainId: 'the chain is that of dataDir; netd genesis new begins one with this id',
  unique:
    'the chain is that of dataDir; netd genesis new --unique begins one with a suffix to its id',
  temporary: 'netd dev --temporary keeps nothing; name a dataDir',
  json: 'a log of JSON is "logFormat": "json"',
  demo: 'netd demo plays on a node that runs',
};

export function readConfig(file: string): DevOptions {
  return readOptions(file, addNodeOptions(new Command()).options, {
    notHere: NOT_HERE,
    defaults: { house: 'none' },
    dataDirIs: 'the directory that netd genesis new has made',
  }) as DevOptions;
}

/**
 * Reads options, with paths relative to the file's folder.
 * @throws CommandError CONFIG_INVALID with all faults
 */
export function readOptions(
  file: string,
  all: readonly Option[],
  {
    notHere,
    defaults = {},
    dataDirIs,
    paths = [],
  }: {
    notHere: Readonly<Record<string, string>>;
    defaults?: Readonly<Record<string, unknown>>;
    dataDirIs: string;
    paths?: readonly string[];
  },
): object {
  const path = resolve(file);
  const options = new Map(
    all
      .filter((option) => !Object.hasOwn(notHere, option.attributeName()))
      .map((option) => [option.attributeName(), option]),
  );
  const given = readObject(path);
  const faults: string[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, option] of options) {
    if (option.defaultValue !== undefined) read[name] = option.defaultValue;
  }
  Object.assign(read, defaults);
  for (const [key, value] of Object.entries(given)) {
    if (key === '$schema') continue;
    const option = options.get(key);
    if (option) {
      const { fault, result } = valueOf(option, value);
      if (fault === undefined) read[key] = result;
      else faults.push(`${key}: ${fault}`);
    } else {
      const meant = Object.hasOwn(notHere, key) ? notHere[key] : null;
      faults.push(`${key}: ${meant ?? `no such option${didYouMean(key, options.keys())}`}`);
    }
  }
  if (!Object.hasOwn(given, 'dataDir')) faults.push(`dataDir: is missing: ${dataDirIs}`);
  if (faults.length > 0) throw invalid(path, faults);
  for (const name of ['dataDir', ...paths]) {
    if (typeof read[name] === 'string') read[name] = resolve(dirname(path), read[name]);
  }
  return read;
}

function readObject(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(path, [`cannot be read (${(error as Error).message})`]);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(path, [`is not JSON (${(error as Error).message})`]);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw invalid(path, ['is no JSON object: {"dataDir": "…", "port": 8420}']);
}

const invalid = (path: string, faults: readonly string[]): CommandError =>
  new CommandError(`${path}: ${faults.join('\n  ')}`, 'CONFIG_INVALID', 'usage');

function valueOf(option: Option, value: unknown): { fault?: string; result?: unknown } {
  const isFlag = !option.required && !option.optional;
  if (isFlag) {
    return typeof value === 'boolean' ? { result: value } : { fault: 'true or false is needed' };
  }
  if (option.optional && value === false) return { result: undefined };
  const isPreset = option.optional && value === true;
  const list = Array.isArray(value) ? value : [value];
  if (!isPreset && !list.every((one) => typeof one === 'string' || typeof one === 'number')) {
    return { fault: `a string, a number or a list of them is needed: ${option.description}` };
  }
  const text = isPreset ? String(option.presetArg) : list.join(',');
  if (text === '') return { fault: `is empty: ${option.description}` };
  try {
    const parse = option.parseArg as ((text: string, before: unknown) => unknown) | undefined;
    const result = parse ? parse.call(option, text, undefined) : text;
    if (typeof result === 'number' && typeof value === 'string') {
      return { fault: `a number is needed, without quotes: ${text}` };
    }
    if (typeof result === 'string' && typeof value === 'number') {
      return { fault: `a string is needed, in quotes: "${text}"` };
    }
    return { result };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
