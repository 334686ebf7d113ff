/** Reads a configuration file: a JSON object whose keys are the options of its role in camel case. */
import { didYouMean } from '@netd/protocol';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command, type Option } from 'commander';
import { CommandError } from './command-error.ts';
import { isRoleName, type Role, ROLE_NAMES, type RoleName, ROLES } from './roles.ts';

export interface Setting {
  key: string;
  /** As netd uses it; undefined if it is not set. */
  value: unknown;
  from: 'file' | 'default' | 'unset';
  /** What applies a change: the signal, or the next start. */
  applies: 'SIGHUP' | 'start';
  description: string;
}

export interface Config<Options = object> {
  path: string;
  role: RoleName;
  /** True unless the file names no role, as files of older versions. */
  namesRole: boolean;
  of: Role;
  options: Options;
  settings: Setting[];
}

interface Reading {
  /** The command, for messages. */
  command: string;
  /** Roles that the command serves; the first is that of a file that names none. */
  roles: readonly RoleName[];
}

const BY_RUN: Reading = { command: 'netd run', roles: ROLE_NAMES };

/** Returns the role of a file of an older version, which names none. */
function roleOf(given: Readonly<Record<string, unknown>>, [first]: readonly RoleName[]): RoleName {
  if (given['fullNode'] === true) return 'full-node';
  return 'p2p' in given || 'peers' in given ? 'validator' : (first ?? 'writer');
}

/** @throws CommandError CONFIG_INVALID with all faults */
export async function readConfig(file: string, reading: Reading = BY_RUN): Promise<Config> {
  const path = resolve(file);
  const given = readObject(path);
  const { command, roles } = reading;
  const { role: named = roleOf(given, roles) } = given;
  if (!isRoleName(named) || !roles.includes(named)) {
    const choice = roles.map((name) => `"${name}"`).join(', ');
    const elsewhere = isRoleName(named) ? `; netd run serves "${named}"` : '';
    throw invalid(path, [`role: ${command} serves ${choice}${elsewhere}`]);
  }
  const of = await ROLES[named].load();
  const namesRole = Object.hasOwn(given, 'role');
  const { options, settings } = readOptions(path, without(given, namesRole), of);
  return { path, role: named, namesRole, of, options, settings };
}

/** Files of older versions have `fullNode`, which is a role now. */
function without(given: Record<string, unknown>, namesRole: boolean): Record<string, unknown> {
  const { $schema: _schema, role: _role, fullNode, ...rest } = given;
  return namesRole && fullNode !== undefined ? { ...rest, fullNode } : rest;
}

export const optionsOf = (role: Role): Option[] =>
  role
    .addOptions(new Command())
    .options.filter((option) => !Object.hasOwn(role.notHere, option.attributeName()));

function readOptions(
  path: string,
  given: Readonly<Record<string, unknown>>,
  role: Role,
): Pick<Config, 'options' | 'settings'> {
  const { notHere, defaults = {}, dataDirIs, live } = role;
  const options = new Map(optionsOf(role).map((option) => [option.attributeName(), option]));
  const paths = ['dataDir', ...(role.paths ?? [])];
  const faults: string[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, option] of options) {
    if (option.defaultValue !== undefined) read[name] = option.defaultValue;
  }
  Object.assign(read, defaults);
  for (const [key, value] of Object.entries(given)) {
    const option = options.get(key);
    if (option) {
      const isPath = paths.includes(key) && typeof value === 'string' && !HASH.test(value);
      const { fault, result } = valueOf(option, isPath ? resolve(dirname(path), value) : value);
      if (fault === undefined) read[key] = result;
      else faults.push(`${key}: ${fault}`);
    } else {
      const meant = Object.hasOwn(notHere, key) ? notHere[key] : null;
      faults.push(`${key}: ${meant ?? `no such option${didYouMean(key, options.keys())}`}`);
    }
  }
  if (!Object.hasOwn(given, 'dataDir')) faults.push(`dataDir: is missing: ${dataDirIs}`);
  faults.push(...sharedPorts(read));
  if (faults.length > 0) throw invalid(path, faults);
  const settings = [...options.values()].map((option): Setting => {
    const key = option.attributeName();
    const from = Object.hasOwn(given, key) ? 'file' : 'default';
    return {
      key,
      value: read[key],
      from: read[key] === undefined ? 'unset' : from,
      applies: live.includes(key) ? 'SIGHUP' : 'start',
      description: option.description,
    };
  });
  return { options: read, settings };
}

/** Options that listen beside `host` and `port`. */
const LISTENERS = ['metricsListen', 'p2p', 'remoteSigner'] as const;
const ANY_ADDRESS: ReadonlySet<string | undefined> = new Set(['0.0.0.0', '::']);

/** Returns a fault for each listener whose port an earlier one takes. */
function sharedPorts(read: Readonly<Record<string, unknown>>): string[] {
  const taken: ({ key: string } & Place)[] = [{ key: 'port', ...placed(read) }];
  const faults: string[] = [];
  for (const key of LISTENERS) {
    const listener = { key, ...placed(placeOf(read[key])) };
    const other = taken.find(
      (one) =>
        one.port === listener.port &&
        (one.host === listener.host || ANY_ADDRESS.has(one.host) || ANY_ADDRESS.has(listener.host)),
    );
    if (listener.port && other) {
      faults.push(`${key}: ${other.key} has port ${listener.port}: choose another`);
    }
    taken.push(listener);
  }
  return faults;
}

interface Place {
  host?: string;
  port?: number;
}

/** Names the loopback address as systems resolve it. */
const placed = ({ host, port }: Place): Place => ({
  ...(host === undefined ? {} : { host: host === 'localhost' ? '127.0.0.1' : host }),
  ...(port === undefined ? {} : { port }),
});

function placeOf(value: unknown): Place {
  if (typeof value !== 'string') return value ?? {};
  const [, host, port] = /^(?:tcp:\/\/)?\[?(.+?)\]?:(\d+)$/.exec(value) ?? [];
  return host === undefined ? {} : { host, port: Number(port) };
}

/** A value that is no path. `validators`, for example, is a path or a hash. */
const HASH = /^[a-f0-9]{64}$/;

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
    // V8 quotes the text around the mistake, which may contain a password.
    const message = (error as Error).message.replace(
      /, (?:\.\.\.)?".*(?= is not valid JSON$)/s,
      '',
    );
    throw invalid(path, [`is not JSON (${message})`]);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw invalid(path, ['is no JSON object: {"role": "writer", "dataDir": "…", "port": 8420}']);
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
