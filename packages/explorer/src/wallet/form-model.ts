import { amountHint, isUnet, parseAmount, type JsonObject, type JsonValue } from '@netd/protocol';
import { FILLED_IN } from '@netd/sdk/internal';
import { capitalized, words } from '../words/ids.ts';
import { withoutNull, type ActionSpec, type Schema } from './actions.ts';

/** `token`: an amount of a token, typed in whole units. The chain counts its smallest unit. */
type FieldKind = 'net' | 'token' | 'integer' | 'text' | 'choice' | 'choices' | 'lines' | 'json';

export interface Field {
  /** The member's path, joined by dots. It also names the control. */
  path: string;
  label: string;
  hint: string;
  kind: FieldKind;
  schema: Schema;
  isRequired: boolean;
  options: readonly string[];
}

export type Typed = Readonly<Record<string, string>>;

export interface Collected {
  payload: JsonObject;
  faults: ReadonlyMap<string, string>;
}

const LONGEST_CHOICE = 280;
const MISSING = 'Fill this in.';

/** Returns required fields first. Members that the agent and the chain determine have no field. */
export function fieldsOf(spec: ActionSpec): Field[] {
  const filled = Object.keys(new Map(Object.entries(FILLED_IN)).get(spec.name) ?? {});
  return fieldsIn(spec.payload, '', filled, true).toSorted(
    (a, b) => Number(b.isRequired) - Number(a.isRequired),
  );
}

function fieldsIn(
  { properties = {}, required = [] }: Schema,
  within: string,
  without: readonly string[],
  isNeeded: boolean,
): Field[] {
  return Object.entries(properties).flatMap(([member, allowed]) => {
    if (without.includes(member)) return [];
    const path = `${within}${member}`;
    const schema = withoutNull(allowed);
    const isRequired = isNeeded && required.includes(member) && schema === allowed;
    if (schema.properties && Object.keys(schema.properties).length > 0) {
      return fieldsIn(schema, `${path}.`, [], isRequired);
    }
    return [fieldOf(path, schema, isRequired)];
  });
}

function fieldOf(path: string, schema: Schema, isRequired: boolean): Field {
  const { description = '', items } = schema;
  const kind = kindOf(schema);
  return {
    path,
    label: capitalized(path.split('.').map(words).join(', ')),
    hint:
      kind === 'token'
        ? description.replace(SMALLEST, (start) => `${start.slice(0, 2)} whole tokens`)
        : description,
    kind,
    schema,
    isRequired,
    options:
      (kind === 'choices' ? items?.enum : schema.enum) ??
      (schema.const === undefined ? [] : [String(schema.const)]),
  };
}

const SMALLEST = /in the smallest unit( of the token)?/i;

function kindOf(schema: Schema): FieldKind {
  const { type, enum: names, items, description = '' } = schema;
  if (isUnet(schema)) return 'net';
  if (type === 'integer') return SMALLEST.test(description) ? 'token' : 'integer';
  if (names !== undefined || schema.const !== undefined) return 'choice';
  if (type === 'array' && items?.enum) return 'choices';
  if (type === 'array' && items?.type === 'string') return 'lines';
  return type === 'string' ? 'text' : 'json';
}

export const isLong = ({ kind, schema }: Field): boolean =>
  kind === 'json' ||
  kind === 'lines' ||
  (kind === 'text' && (schema.maxLength ?? 0) >= LONGEST_CHOICE && schema.title === undefined);

/**
 * Returns the token whose decimals the typed amounts need. Null if they need none, or if the form names them itself.
 */
export function tokenOf(fields: readonly Field[], typed: Typed): string | null {
  const needsIt =
    fields.some(({ kind }) => kind === 'token') && fields.every(({ path }) => path !== 'decimals');
  return needsIt ? (typed['tokenId'] ?? '').trim() : null;
}

/** @param decimals of the token that `tokenOf` returns */
export function collect(
  spec: ActionSpec,
  fields: readonly Field[],
  typed: Typed,
  decimals?: number,
): Collected {
  const payload: JsonObject = {};
  const faults = new Map<string, string>();
  const begun = new Set(
    fields
      .filter(({ path }) => path.includes('.') && (typed[path] ?? '') !== '')
      .map(({ path }) => path.slice(0, path.lastIndexOf('.'))),
  );
  const places = decimals ?? Number(typed['decimals'] ?? '');
  for (const field of fields) {
    const { path } = field;
    const text = (typed[path] ?? '').trim();
    if (text === '') {
      if (field.isRequired || isMissing(spec.payload, path, begun)) faults.set(path, MISSING);
      else if (isNullable(spec.payload, path)) put(payload, path, null);
      continue;
    }
    try {
      put(payload, path, valueOf(field, text, places));
    } catch (error) {
      faults.set(path, error instanceof RangeError ? error.message : 'This cannot be read.');
    }
  }
  return { payload, faults };
}

/** Returns true if the field is required because another member of its object is filled. */
function isMissing(payload: Schema, path: string, begun: ReadonlySet<string>): boolean {
  const at = path.lastIndexOf('.');
  if (at < 0 || !begun.has(path.slice(0, at))) return false;
  return schemaAt(payload, path.slice(0, at))?.required?.includes(path.slice(at + 1)) ?? false;
}

function isNullable(payload: Schema, path: string): boolean {
  const at = path.lastIndexOf('.');
  const parent = at < 0 ? payload : schemaAt(payload, path.slice(0, at));
  const member = path.slice(at + 1);
  return (
    at < 0 &&
    (parent?.required?.includes(member) ?? false) &&
    (parent?.properties?.[member]?.anyOf?.some(({ type }) => type === 'null') ?? false)
  );
}

function schemaAt(schema: Schema, path: string): Schema | undefined {
  let at: Schema | undefined = schema;
  for (const member of path.split('.')) {
    const next: Schema | undefined = at?.properties?.[member];
    at = next && withoutNull(next);
  }
  return at;
}

function put(payload: JsonObject, path: string, value: JsonValue): void {
  const members = path.split('.');
  let at = payload;
  for (const member of members.slice(0, -1)) at = (at[member] ??= {}) as JsonObject;
  at[members.at(-1) ?? ''] = value;
}

/** @throws RangeError with a sentence for the person */
function valueOf({ kind, schema }: Field, text: string, decimals: number): JsonValue {
  switch (kind) {
    case 'net':
      return netOf(text, schema);
    case 'token':
      return inBounds(unitsOf(text, decimals), schema, 'token');
    case 'integer':
      // Refuse commas and points, because people use them both for grouping and for decimals.
      if (!/^-?\d{1,16}$/.test(text)) {
        throw new RangeError('Write a whole number in digits only, such as 1500.');
      }
      return inBounds(Number(text), schema, '');
    case 'choices':
    case 'lines': {
      const all = text.split(kind === 'lines' ? /[\n,]/ : ',').map((one) => one.trim());
      const values = [...new Set(all.filter((one) => one !== ''))];
      for (const one of values) requireText(schema.items ?? {}, one);
      return values;
    }
    case 'json':
      return jsonOf(text);
    default:
      if (typeof schema.const === 'boolean') return text === 'true';
      return requireText(schema, text);
  }
}

/**
 * Reads an amount for every form.
 * @throws RangeError with a sentence for the person
 */
export function netOf(text: string, bounds: Pick<Schema, 'minimum' | 'maximum'>): number {
  if (text.trim() === '') throw new RangeError(MISSING);
  const unet = parseAmount(text.trim(), 'NET');
  if (unet === null) throw new RangeError(amountHint('NET'));
  return inBounds(unet, bounds, 'NET');
}

/** Reads an amount of a token by the rule for NET, with the decimals of the token. */
function unitsOf(text: string, decimals: number): number {
  const [, whole = '', fraction = ''] = /^(\d{1,16})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (whole === '') throw new RangeError('Write 5 or 0.25: digits, one point, no commas.');
  if (fraction.length > decimals)
    throw new RangeError(
      decimals === 0
        ? 'This token has no decimals.'
        : `This token has ${decimals} decimals at most.`,
    );
  return Number(`${whole}${fraction.padEnd(decimals, '0')}`);
}

function inBounds(value: number, { minimum, maximum }: Schema, unit: string): number {
  if (!Number.isSafeInteger(value)) throw new RangeError('This number is too large.');
  const least = minimum === undefined ? -Infinity : minimum;
  if (value < least) {
    throw new RangeError(unit === '' ? `At least ${least}.` : 'Enter more than 0.');
  }
  if (maximum !== undefined && value > maximum) throw new RangeError(`At most ${maximum}.`);
  return value;
}

function requireText(schema: Schema, text: string): string {
  const { pattern, maxLength = Infinity, minLength = 0, description, title } = schema;
  if ([...text].length > maxLength) throw new RangeError(`At most ${maxLength} characters.`);
  if ([...text].length < minLength) throw new RangeError(`At least ${minLength} characters.`);
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) {
    throw new RangeError(
      title === 'ActorId'
        ? 'A name has 2 to 64 letters, digits, dots, underscores or hyphens. It begins with a letter or a digit.'
        : title === 'Hash'
          ? 'A hash has 64 digits, of 0 to 9 and a to f.'
          : (description ?? 'This has the wrong form.'),
    );
  }
  return text;
}

function jsonOf(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new RangeError('This is not JSON.');
  }
}
