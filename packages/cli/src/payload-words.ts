/**
 * Parses a payload from the terminal: JSON, `@file`, `-`, or words `member=value`, typed by the action's
 * schema.
 */
import {
  amountHint,
  didYouMean,
  HASH_PATTERN,
  isUnet,
  type JsonObject,
  type JsonValue,
  parseAmount,
  parseStrictJson,
  StrictJsonError,
} from '@netd/protocol';
import type { TSchema } from '@netd/protocol/type';
import { UsageError } from './command-error.ts';

export interface Sources {
  readFile: (path: string) => Promise<string>;
  readInput: () => Promise<string>;
  /**
   * Stores a file's content for a hash field. If absent, users must type hashes.
   * @param file its path, `-` for standard input
   * @returns the hash
   */
  store?: (file: string) => Promise<string>;
}

/** @throws UsageError for a malformed word, an unknown field, or a value of another type */
export async function payloadFromWords(
  words: readonly string[],
  schema: TSchema | undefined,
  sources: Sources,
): Promise<JsonObject> {
  const payload: JsonObject = {};
  const seen = new Set<string>();
  for (const word of words) {
    const path = /^([A-Za-z_][\w.]*)=/s.exec(word)?.[1];
    if (path === undefined) {
      const text = await documentText(word, sources);
      for (const [name, value] of Object.entries(parsePayload(text))) {
        once(seen, name);
        payload[name] = value;
      }
      continue;
    }
    once(seen, path);
    const given = word.slice(path.length + 1);
    setAt(payload, path, schema, await textOf(given, memberAt(schema, path), sources));
  }
  for (const name of Object.keys(payload)) requireMember(schema, name, name);
  return payload;
}

async function textOf(
  given: string,
  schema: TSchema | undefined,
  sources: Sources,
): Promise<string> {
  const { store } = sources;
  const { pattern }: Rules = schema ?? {};
  const isHash = store && pattern === HASH_PATTERN;
  if (isHash && given === '-') return store('-');
  if (!given.startsWith('@')) return given;
  const file = given.slice(1);
  if (!isHash) return readFile(file, sources);
  const text = await readFile(file, sources);
  return new RegExp(HASH_PATTERN).test(text) ? text : store(file);
}

function memberAt(schema: TSchema | undefined, path: string): TSchema | undefined {
  let rules: Rules | undefined = schema;
  for (const name of path.split('.')) rules = rules?.properties?.[name];
  return rules;
}

function once(seen: Set<string>, path: string): void {
  if (seen.has(path)) throw new UsageError(`${path} is given twice`);
  seen.add(path);
}

async function documentText(word: string, sources: Sources): Promise<string> {
  if (word === '-') return sources.readInput();
  if (word.startsWith('@')) return readFile(word.slice(1), sources);
  if (/^\s*[[{]/.test(word)) return word;
  throw new UsageError(
    `"${word}" is no part of a payload: write member=value, JSON in single quotes, @file, or - for standard input`,
  );
}

async function readFile(path: string, { readFile: read }: Sources): Promise<string> {
  try {
    return await read(path);
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function parsePayload(text: string): JsonObject {
  const value = strictJson(text, 'the payload');
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new UsageError('the payload must be a JSON object, in single quotes for the shell');
  }
  return value;
}

function strictJson(text: string, what: string): JsonValue {
  try {
    return parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new UsageError(`${what} is not JSON as envelopes need it: ${error.message}`);
  }
}

function setAt(payload: JsonObject, path: string, schema: TSchema | undefined, text: string): void {
  const names = path.split('.');
  const last = names.pop() as string;
  let [target, rules] = [payload, schema];
  for (const name of names) {
    rules = requireMember(rules, name, path);
    const next = (target[name] ??= {});
    if (next === null || typeof next !== 'object' || Array.isArray(next)) {
      throw new UsageError(`${path}: ${name} is given as a whole already`);
    }
    target = next;
  }
  target[last] = valueOf(text, requireMember(rules, last, path), path);
}

function requireMember(
  schema: TSchema | undefined,
  name: string,
  path: string,
): TSchema | undefined {
  const { properties }: Rules = schema ?? {};
  if (!properties || Object.hasOwn(properties, name)) return properties?.[name];
  const names = Object.keys(properties);
  const hint = didYouMean(name, names) || `; there are ${names.join(', ')}`;
  throw new UsageError(`${path}: there is no member ${name}${hint}`);
}

interface Rules {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: TSchema[];
  properties?: Record<string, TSchema>;
  items?: TSchema;
  description?: string;
  pattern?: string;
}

function valueOf(text: string, schema: TSchema | undefined, path: string): JsonValue {
  const { type, enum: choices, const: constant, anyOf, items } = (schema ?? {}) as Rules;
  if (anyOf) {
    if (text === 'null') return null;
    return valueOf(
      text,
      anyOf.find((one) => (one as Rules).type !== 'null'),
      path,
    );
  }
  const known = choices ?? (constant === undefined ? undefined : [constant]);
  if (known) return choiceOf(text, known, path);
  switch (type) {
    case undefined:
      return looseValue(text);
    case 'string':
      return text;
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new UsageError(`${path}: true or false`);
      return text === 'true';
    case 'array':
      return text.trim().startsWith('[')
        ? strictJson(text, path)
        : listOf(text).map((item, i) => valueOf(item, items, `${path}.${i}`));
    case 'integer':
    case 'number':
      return numberOf(text, schema as TSchema, path);
    default:
      return strictJson(text, path);
  }
}

const listOf = (text: string): string[] => (text === '' ? [] : text.split(','));

function choiceOf(text: string, choices: readonly unknown[], path: string): JsonValue {
  const found = choices.find((choice) => String(choice) === text);
  if (found !== undefined) return found as JsonValue;
  const words = choices.map(String);
  const hint = didYouMean(text, words) || `: one of ${words.join(', ')}`;
  throw new UsageError(`${path}: "${text}" is not possible${hint}`);
}

function numberOf(text: string, schema: TSchema, path: string): number {
  if (isUnet(schema)) {
    const unet = parseAmount(text, 'unet');
    if (unet !== null) return unet;
    throw new UsageError(`${path}: "${text}" is not an amount. ${amountHint('unet')}`);
  }
  if (!/^-?\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text))) {
    throw new UsageError(`${path}: "${text}" is no whole number`);
  }
  return Number(text);
}

function looseValue(text: string): JsonValue {
  try {
    return parseStrictJson(text);
  } catch {
    return text;
  }
}
