import { CanonicalJsonError, type JsonValue } from './canonical-json.ts';
import { jsonPointer } from './strict-json.ts';

/** Deepest level. Deeper values fail in other languages, or contain themselves. */
const MAX_DEPTH = 256;

/** A value that JSON cannot express. `detail` says what it is and what to write instead. */
export class NotJsonError extends CanonicalJsonError {
  override name = 'NotJsonError';
  /** JSON Pointer (RFC 6901); '' for the whole. */
  readonly path: string;
  readonly detail: string;

  constructor(path: string, detail: string) {
    super(`${path || 'the value'} is ${detail}`);
    this.path = path;
    this.detail = detail;
  }
}

/**
 * Returns a plain JSON copy. Drops undefined members, as `JSON.stringify` does.
 * @throws NotJsonError if JSON would change or lose a part: a Date, a Map, a class instance, a function, …
 */
export function exactJson(value: unknown): JsonValue {
  return copyOf(value, '', 0);
}

function copyOf(value: unknown, path: string, depth: number): JsonValue {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    if (value.isWellFormed()) return value;
    throw new NotJsonError(
      path,
      'a string with half of a surrogate pair: cut texts at whole characters',
    );
  }
  if (typeof value === 'number') return exactNumber(value, path);
  if (typeof value !== 'object') throw new NotJsonError(path, detailOf(value));
  if (depth === MAX_DEPTH) throw new NotJsonError(path, 'nested too deep, or it contains itself');
  const step = (part: unknown, name: string | number): JsonValue =>
    copyOf(part, path + jsonPointer([name]), depth + 1);
  // `Array.from` also visits holes.
  if (Array.isArray(value)) return Array.from(value, step);
  if (!isPlain(value)) throw new NotJsonError(path, detailOf(value));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([name, part]) => [name, step(part, name)]),
  );
}

/** Rejects integers whose shortest digits mean another integer to an exact reader, for example 2 ** 60. */
function exactNumber(value: number, path: string): number {
  if (!Number.isFinite(value)) throw new NotJsonError(path, `${value}, which is no JSON number`);
  const digits = String(value);
  if (/^-?\d{16,}$/.test(digits) && BigInt(digits) !== BigInt(value))
    throw new NotJsonError(path, 'an integer that JSON cannot carry exactly: write it as a string');
  return value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const INSTEAD: readonly (readonly [name: string, instead: string])[] = [
  ['Date', 'write its toISOString()'],
  ['Map', 'write Object.fromEntries(map)'],
  ['Set', 'write [...set]'],
  ['Error', 'write its message'],
  ['Promise', 'await it'],
];

function detailOf(value: unknown): string {
  if (value === undefined) return 'undefined: write null';
  if (typeof value === 'bigint') return 'a bigint: write it as a string';
  if (typeof value !== 'object') return `a ${typeof value}, which has no JSON form`;
  const instead = INSTEAD.find(([name]) => isA(value as object, name));
  if (instead) return `of the class ${instead[0]}: ${instead[1]}`;
  if (ArrayBuffer.isView(value)) return 'binary: write it as text in base64';
  const { name } = ((value as object).constructor ?? {}) as { name?: string };
  return `of the class ${name || 'of some kind'}: write a plain object`;
}

/** Compares names of classes, because other realms have other constructors. */
function isA(value: object, name: string): boolean {
  for (let one: unknown = Object.getPrototypeOf(value); one; one = Object.getPrototypeOf(one))
    if ((one as { constructor?: { name?: string } }).constructor?.name === name) return true;
  return false;
}
