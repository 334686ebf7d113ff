/**
 * Interprets a checked JSON Schema. Makes no code from strangers' strings, and pauses when its meter is due.
 * Counts the same steps as `netsdk/formats/schema_judge.py`, so both try keywords and members in one order.
 */
import { characterCount } from '../json-value.ts';
import { jsonPointer } from '../strict-json.ts';
import { automatonOf, matches, type Automaton } from './automaton.ts';
import { exactValue, isExactNumber, type ExactJson } from './exact-json.ts';
import {
  compareNumbers,
  Decimal,
  isMultipleOf,
  isWhole,
  type ExactNumber,
} from './exact-number.ts';
import type { Meter } from './meter.ts';
import { parsePattern } from './pattern.ts';

export interface Fault {
  path: string;
  message: string;
}

type Json = Record<string, unknown>;

type Plain = (value: ExactJson, meter: Meter) => string | null;
type Walk = (value: ExactJson, run: Run, seen: Seen | null) => Generator<void, boolean>;

export interface Part {
  plain: Plain[];
  walks: Walk[];
  /** Keywords applied last, to members and items that no other keyword has evaluated. */
  unevaluated: Walk[];
  weight: number;
}

/** Members and items evaluated; kept only for unevaluated keywords. */
interface Seen {
  names: Set<string>;
  items: Set<number>;
  firstItems: number;
}

interface Run {
  meter: Meter;
  path: (string | number)[];
  /** Above 0 inside parts that may fail. */
  muted: number;
  fault: Fault | null;
}

export function* conforms(
  part: Part,
  value: ExactJson,
  meter: Meter,
): Generator<void, Fault | null> {
  const run: Run = { meter, path: [], muted: 0, fault: null };
  const isMet = plainly(part, value, run) ?? (yield* apply(part, value, run, null));
  return isMet ? null : (run.fault ?? { path: '', message: 'is not valid' });
}

/** Returns null if plain checks are not enough. */
function plainly(part: Part, value: ExactJson, run: Run): boolean | null {
  run.meter.steps += part.weight;
  for (const check of part.plain) {
    const message = check(value, run.meter);
    if (message !== null) return fail(run, message);
  }
  return part.walks.length === 0 && part.unevaluated.length === 0 ? true : null;
}

/** Applies the other keywords. Call it after `plainly` returned null. */
function* apply(
  part: Part,
  value: ExactJson,
  run: Run,
  seen: Seen | null,
): Generator<void, boolean> {
  const own = part.unevaluated.length > 0 ? newSeen() : seen;
  for (const walks of [part.walks, part.unevaluated]) {
    for (const walk of walks) {
      if (!(yield* walk(value, run, own))) return false;
      if (run.meter.isDue()) yield;
    }
  }
  if (own !== seen) merge(seen, own, run.meter);
  return true;
}

function* applyAt(
  part: Part,
  value: ExactJson,
  run: Run,
  step: string | number,
): Generator<void, boolean> {
  run.path.push(step);
  const isMet = plainly(part, value, run) ?? (yield* apply(part, value, run, null));
  run.path.pop();
  return isMet;
}

function* probe(
  part: Part,
  value: ExactJson,
  run: Run,
  seen: Seen | null,
): Generator<void, boolean> {
  const own = seen && newSeen();
  run.muted += 1;
  const isMet = plainly(part, value, run) ?? (yield* apply(part, value, run, own));
  run.muted -= 1;
  if (isMet) merge(seen, own, run.meter);
  return isMet;
}

function fail(run: Run, message: string): false {
  if (run.muted === 0) {
    run.fault ??= { path: jsonPointer(run.path), message };
  }
  return false;
}

const newSeen = (): Seen => ({ names: new Set(), items: new Set(), firstItems: 0 });

function merge(into: Seen | null, from: Seen | null, meter: Meter): void {
  if (!into || !from) return;
  meter.steps += from.names.size + from.items.size;
  for (const name of from.names) into.names.add(name);
  for (const item of from.items) into.items.add(item);
  into.firstItems = Math.max(into.firstItems, from.firstItems);
}

export function referred(root: object, reference: string): unknown {
  let found: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Json)[name];
  }
  return found;
}

export function preparedSchema(schema: object): Part {
  const known = new Map<unknown, Part>();

  function partOf(made: unknown): Part {
    const before = known.get(made);
    if (before) return before;
    const part: Part = { plain: [], walks: [], unevaluated: [], weight: 1 };
    known.set(made, part);
    if (made === false) part.plain.push(() => 'is not allowed by the schema');
    if (typeof made !== 'object' || made === null) return part;
    const keywords = made as Json;
    for (const [name, make] of Object.entries(PLAIN)) {
      if (!Object.hasOwn(keywords, name)) continue;
      part.plain.push(make(keywords[name] as never));
      part.weight += 1;
    }
    const { required = [], dependentRequired = {} } = keywords as {
      required?: string[];
      dependentRequired?: Record<string, string[]>;
    };
    part.weight += required.length;
    for (const names of Object.values(dependentRequired)) part.weight += 1 + names.length;
    for (const walk of walksOf(keywords)) part.walks.push(walk);
    const { unevaluatedItems, unevaluatedProperties } = keywords;
    if (unevaluatedItems !== undefined)
      part.unevaluated.push(restOfItems(partOf(unevaluatedItems)));
    if (unevaluatedProperties !== undefined) {
      part.unevaluated.push(restOfMembers(partOf(unevaluatedProperties)));
    }
    return part;
  }

  const maybe = (made: unknown): Part | null => (made === undefined ? null : partOf(made));
  const listOf = (made: unknown): Part[] => (made as unknown[]).map(partOf);
  const mapOf = (made: unknown): [string, Part][] =>
    sortedMembers((made ?? {}) as Json).map(([name, one]) => [name, partOf(one)]);

  function* walksOf(keywords: Json): Generator<Walk> {
    const { $ref, pattern, uniqueItems, allOf, anyOf, oneOf, not, items, prefixItems } = keywords;
    if (typeof $ref === 'string') yield every([partOf(referred(schema, $ref))]);
    if (typeof pattern === 'string') yield fits(pattern);
    if (keywords['propertyNames'] !== undefined)
      yield memberNames(partOf(keywords['propertyNames']));
    const { properties, patternProperties, additionalProperties } = keywords;
    if ([properties, patternProperties, additionalProperties].some((one) => one !== undefined)) {
      const patterns = mapOf(patternProperties).map(
        ([text, part]) => [automatonOf(parsePattern(text).tree), part] as const,
      );
      yield memberValues(new Map(mapOf(properties)), patterns, maybe(additionalProperties));
    }
    if (prefixItems !== undefined || items !== undefined) {
      yield itemsInOrder(listOf(prefixItems ?? []), maybe(items));
    }
    if (uniqueItems === true) yield different;
    if (keywords['contains'] !== undefined) {
      const { minContains = 1, maxContains = Infinity } = keywords;
      yield contains(partOf(keywords['contains']), minContains as number, maxContains as number);
    }
    if (allOf !== undefined) yield every(listOf(allOf));
    if (anyOf !== undefined) yield any(listOf(anyOf));
    if (oneOf !== undefined) yield onlyOne(listOf(oneOf));
    if (not !== undefined) yield none(partOf(not));
    if (keywords['if'] !== undefined) {
      yield either(partOf(keywords['if']), maybe(keywords['then']), maybe(keywords['else']));
    }
    const dependent = mapOf(keywords['dependentSchemas']);
    if (dependent.length > 0) yield dependents(dependent);
  }

  return partOf(schema);
}

const numbers = (isMet: (value: ExactNumber) => boolean, message: string): Plain => {
  return (value) => (!isExactNumber(value) || isMet(value) ? null : message);
};
const limit = (bound: number, isMet: (difference: number) => boolean, message: string): Plain => {
  const exact = exactValue(bound) as ExactNumber;
  return numbers((value) => isMet(compareNumbers(value, exact)), `must be ${message} ${bound}`);
};
const lengths = (
  size: (value: ExactJson, meter: Meter) => number | null,
  isMet: (length: number) => boolean,
  message: string,
): Plain => {
  return (value, meter) => {
    const length = size(value, meter);
    return length === null || isMet(length) ? null : message;
  };
};
const characters = (value: ExactJson, meter: Meter): number | null => {
  if (typeof value !== 'string') return null;
  const count = characterCount(value);
  meter.steps += count >> 6;
  return count;
};
const itemCount = (value: ExactJson): number | null => (isList(value) ? value.length : null);
const memberCount = (value: ExactJson): number | null => (isMap(value) ? value.size : null);
const oneOfKeys = (values: readonly unknown[], message: string): Plain => {
  const keys = new Set(values.map((one) => keyOf(exactValue(one))));
  return (value, meter) => (keys.has(keyOf(value, meter)) ? null : message);
};

const PLAIN: Readonly<Record<string, (keyword: never) => Plain>> = {
  type: (keyword: string | string[]) => {
    const types = [keyword].flat();
    const message = `must be ${types.join(',')}`;
    return (value) => (types.some((type) => isOfType(value, type)) ? null : message);
  },
  enum: (keyword: unknown[]) => oneOfKeys(keyword, 'must be equal to one of the allowed values'),
  const: (keyword: unknown) => oneOfKeys([keyword], 'must be equal to constant'),
  multipleOf: (divisor: number) =>
    numbers((value) => isMultipleOf(value, divisor), `must be a whole multiple of ${divisor}`),
  maximum: (most: number) => limit(most, (difference) => difference <= 0, '<='),
  exclusiveMaximum: (end: number) => limit(end, (difference) => difference < 0, '<'),
  minimum: (least: number) => limit(least, (difference) => difference >= 0, '>='),
  exclusiveMinimum: (end: number) => limit(end, (difference) => difference > 0, '>'),
  maxLength: (most: number) =>
    lengths(characters, (length) => length <= most, `must NOT have more than ${most} characters`),
  minLength: (least: number) =>
    lengths(
      characters,
      (length) => length >= least,
      `must NOT have fewer than ${least} characters`,
    ),
  maxItems: (most: number) =>
    lengths(itemCount, (length) => length <= most, `must NOT have more than ${most} items`),
  minItems: (least: number) =>
    lengths(itemCount, (length) => length >= least, `must NOT have fewer than ${least} items`),
  maxProperties: (most: number) =>
    lengths(memberCount, (length) => length <= most, `must NOT have more than ${most} properties`),
  minProperties: (least: number) =>
    lengths(
      memberCount,
      (length) => length >= least,
      `must NOT have fewer than ${least} properties`,
    ),
  required: (keyword: string[]) => (value) => (isMap(value) ? lacking(value, keyword) : null),
  dependentRequired: (keyword: Record<string, string[]>) => {
    const all = sortedMembers(keyword);
    return (value) => {
      if (!isMap(value)) return null;
      const found = all.find(([name, wanted]) => value.has(name) && lacking(value, wanted));
      return found ? lacking(value, found[1]) : null;
    };
  },
};

function lacking(value: ReadonlyMap<string, ExactJson>, wanted: string[]): string | null {
  const name = wanted.find((one) => !value.has(one));
  return name === undefined ? null : `must have required property '${name}'`;
}

const fits = (pattern: string): Walk => {
  const automaton = automatonOf(parsePattern(pattern).tree);
  return function* fitsPattern(value, run) {
    if (typeof value !== 'string' || (yield* matches(automaton, value, run.meter))) return true;
    return fail(run, `must match pattern "${pattern}"`);
  };
};

const memberNames = (part: Part): Walk =>
  function* checkNames(value, run) {
    if (!isMap(value)) return true;
    for (const name of value.keys()) {
      if (!(plainly(part, name, run) ?? (yield* apply(part, name, run, null)))) return false;
      if (run.meter.isDue()) yield;
    }
    return true;
  };

const memberValues = (
  properties: ReadonlyMap<string, Part>,
  patterns: readonly (readonly [Automaton, Part])[],
  additional: Part | null,
): Walk =>
  function* checkMembers(value, run, seen) {
    if (!isMap(value)) return true;
    for (const [name, member] of value) {
      const own = properties.get(name);
      let isKnown = own !== undefined;
      if (own && !(yield* applyAt(own, member, run, name))) return false;
      for (const [automaton, part] of patterns) {
        if (!(yield* matches(automaton, name, run.meter))) continue;
        isKnown = true;
        if (!(yield* applyAt(part, member, run, name))) return false;
      }
      if (!isKnown && additional && !(yield* applyAt(additional, member, run, name))) return false;
      if (isKnown || additional) seen?.names.add(name);
      run.meter.steps += 1;
      if (run.meter.isDue()) yield;
    }
    return true;
  };

const restOfMembers = (part: Part): Walk =>
  function* checkRest(value, run, seen) {
    if (!isMap(value)) return true;
    for (const [name, member] of value) {
      run.meter.steps += 1;
      if (seen?.names.has(name)) continue;
      if (!(yield* applyAt(part, member, run, name))) return false;
      seen?.names.add(name);
      if (run.meter.isDue()) yield;
    }
    return true;
  };

const itemsInOrder = (prefix: readonly Part[], others: Part | null): Walk =>
  function* checkItems(value, run, seen) {
    if (!isList(value)) return true;
    const end = others ? value.length : Math.min(prefix.length, value.length);
    for (let i = 0; i < end; i++) {
      const part = prefix[i] ?? others;
      if (part && !(yield* applyAt(part, value[i] ?? null, run, i))) return false;
      if (run.meter.isDue()) yield;
    }
    if (seen) seen.firstItems = Math.max(seen.firstItems, end);
    return true;
  };

const restOfItems = (part: Part): Walk =>
  function* checkRest(value, run, seen) {
    if (!isList(value)) return true;
    for (let i = seen?.firstItems ?? 0; i < value.length; i++) {
      run.meter.steps += 1;
      if (seen?.items.has(i)) continue;
      if (!(yield* applyAt(part, value[i] ?? null, run, i))) return false;
      if (run.meter.isDue()) yield;
    }
    if (seen) seen.firstItems = value.length;
    return true;
  };

const contains = (part: Part, least: number, most: number): Walk =>
  function* checkContains(value, run, seen) {
    if (!isList(value)) return true;
    let count = 0;
    for (let i = 0; i < value.length; i++) {
      if (yield* probe(part, value[i] ?? null, run, null)) {
        count += 1;
        seen?.items.add(i);
      }
      if (count > most || (count >= least && most === Infinity && !seen)) break;
      if (run.meter.isDue()) yield;
    }
    if (count < least) return fail(run, `must contain at least ${least} valid item(s)`);
    return count <= most || fail(run, `must contain no more than ${most} valid item(s)`);
  };

const different: Walk = function* areDifferent(value, run) {
  if (!isList(value)) return true;
  const keys = new Set<string>();
  for (const item of value) {
    const key = keyOf(item, run.meter);
    if (keys.has(key)) return fail(run, 'must NOT have duplicate items');
    keys.add(key);
    if (run.meter.isDue()) yield;
  }
  return true;
};

const every = (parts: readonly Part[]): Walk =>
  function* meetsEvery(value, run, seen) {
    for (const part of parts) {
      if (!(plainly(part, value, run) ?? (yield* apply(part, value, run, seen)))) return false;
      if (run.meter.isDue()) yield;
    }
    return true;
  };

const any = (parts: readonly Part[]): Walk =>
  function* meetsAny(value, run, seen) {
    let isMet = false;
    for (const part of parts) {
      if (yield* probe(part, value, run, seen)) isMet = true;
      if (isMet && !seen) break;
      if (run.meter.isDue()) yield;
    }
    return isMet || fail(run, 'must match a schema in anyOf');
  };

const onlyOne = (parts: readonly Part[]): Walk =>
  function* meetsOne(value, run, seen) {
    let count = 0;
    for (const part of parts) {
      if (yield* probe(part, value, run, seen)) count += 1;
      if (count > 1) break;
      if (run.meter.isDue()) yield;
    }
    return count === 1 || fail(run, 'must match exactly one schema in oneOf');
  };

const none = (part: Part): Walk =>
  function* meetsNone(value, run) {
    return !(yield* probe(part, value, run, null)) || fail(run, 'must NOT be valid');
  };

const either = (condition: Part, then: Part | null, otherwise: Part | null): Walk =>
  function* meetsEither(value, run, seen) {
    const part = (yield* probe(condition, value, run, seen)) ? then : otherwise;
    return part === null || (plainly(part, value, run) ?? (yield* apply(part, value, run, seen)));
  };

const dependents = (all: readonly [string, Part][]): Walk =>
  function* meetsDependents(value, run, seen) {
    if (!isMap(value)) return true;
    run.meter.steps += all.length;
    for (const [name, part] of all) {
      if (!value.has(name)) continue;
      if (!(plainly(part, value, run) ?? (yield* apply(part, value, run, seen)))) return false;
    }
    return true;
  };

const isList = (value: ExactJson): value is readonly ExactJson[] => Array.isArray(value);
const isMap = (value: ExactJson): value is ReadonlyMap<string, ExactJson> => value instanceof Map;

function isOfType(value: ExactJson, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return isList(value);
    case 'object':
      return isMap(value);
    case 'number':
      return isExactNumber(value);
    case 'integer':
      return isExactNumber(value) && isWhole(value);
    default:
      return typeof value === type;
  }
}

export function sortedMembers<Value>(object: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.keys(object)
    .toSorted()
    .map((name) => [name, object[name] as Value]);
}

/** Returns equal keys for equal values only. Counts a step per value, and one per 64 characters. */
function keyOf(value: ExactJson, meter?: Meter): string {
  if (meter) meter.steps += 1;
  if (isList(value)) return `[${value.map((one) => keyOf(one, meter)).join(',')}]`;
  if (isMap(value)) {
    const names = [...value.keys()].toSorted();
    const members = names.map(
      (name) => `${keyOf(name, meter)}:${keyOf(value.get(name) ?? null, meter)}`,
    );
    return `{${members.join(',')}}`;
  }
  if (value instanceof Decimal) return value.key;
  if (typeof value !== 'string') return String(value);
  if (meter) meter.steps += characterCount(value) >> 6;
  // The length makes the key unambiguous. Escaping would take more time than the steps that it counts.
  return `"${value.length}:${value}`;
}
