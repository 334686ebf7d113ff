/**
 * Checks strangers' JSON Schemas before they judge: known keywords, local references without cycles, patterns
 * that every engine reads the same, and bounded size, depth and cost.
 */
import { canonicalize, CanonicalJsonError } from '../canonical-json.ts';
import { isJsonNumber, isJsonObject as isObject } from '../json-value.ts';
import { MAX_DOCUMENT_BYTES } from '../limits.ts';
import { jsonPointer } from '../strict-json.ts';
import { JudgeError, type JudgeErrorCode } from './judge-error.ts';
import { parsePattern, PatternError } from './pattern.ts';
import { referred, sortedMembers } from './schema-judge.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/** Highest cost of a schema. Referenced parts count at each reference. */
export const MAX_SCHEMA_COST = 20_000;
/** Deepest level with references followed, since judges recurse. */
export const MAX_SCHEMA_DEPTH = 64;
const UNIQUE_ITEMS_COST = 16;

const ONE_SCHEMA = new Set([
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
]);
const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);

type Form = (value: unknown) => boolean;
const isCount: Form = (value) => Number.isInteger(value) && (value as number) >= 0;
const isText: Form = (value) => typeof value === 'string';
const isFlag: Form = (value) => typeof value === 'boolean';
const isAnything: Form = () => true;
const isList: Form = (value) => Array.isArray(value);
const isNames: Form = (value) =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;

const TYPES: unknown[] = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

const PLAIN = new Map<string, Form>([
  [
    'type',
    (value) =>
      isNames(value)
        ? (value as unknown[]).length > 0 &&
          (value as unknown[]).every((one) => TYPES.includes(one))
        : TYPES.includes(value),
  ],
  ['enum', isList],
  ['const', isAnything],
  ['multipleOf', (value) => isJsonNumber(value) && value > 0],
  ['maximum', isJsonNumber],
  ['exclusiveMaximum', isJsonNumber],
  ['minimum', isJsonNumber],
  ['exclusiveMinimum', isJsonNumber],
  ['maxLength', isCount],
  ['minLength', isCount],
  ['maxItems', isCount],
  ['minItems', isCount],
  ['uniqueItems', isFlag],
  ['maxContains', isCount],
  ['minContains', isCount],
  ['maxProperties', isCount],
  ['minProperties', isCount],
  ['required', isNames],
  ['dependentRequired', (value) => isObject(value) && Object.values(value).every(isNames)],
]);
const ANNOTATIONS = new Map<string, Form>([
  ['$comment', isText],
  ['title', isText],
  ['description', isText],
  ['default', isAnything],
  ['examples', isList],
  ['deprecated', isFlag],
  ['readOnly', isFlag],
  ['writeOnly', isFlag],
  ['format', isText],
  ['contentEncoding', isText],
  ['contentMediaType', isText],
]);

function refuse(path: string, detail: string, code: JudgeErrorCode = 'schema'): never {
  throw new JudgeError(code, path, detail);
}

/** Checks a schema in linear time, and returns about the steps per byte of a deliverable. */
export function checkSchema(schema: unknown): number {
  try {
    return checkedCost(schema);
  } catch (error) {
    // The schema has a value that JSON cannot express, or nests too deep to be written.
    if (!(error instanceof CanonicalJsonError) && !(error instanceof RangeError)) throw error;
    return refuse('', error.message);
  }
}

function checkedCost(schema: unknown): number {
  const root = isObject(schema) ? schema : refuse('', 'an object is needed');
  const known = new Map<unknown, { cost: number; depth: number }>();
  const open = new Set<unknown>();
  const add = (total: number, more: number, path: string): number =>
    total + more > MAX_SCHEMA_COST ? refuse(path, 'it has too many parts', 'cost') : total + more;

  function costOf(part: unknown, path: string, level: number): { cost: number; depth: number } {
    if (level > MAX_SCHEMA_DEPTH) {
      return refuse(path, `schemas nest more than ${MAX_SCHEMA_DEPTH} deep, references followed`);
    }
    if (typeof part === 'boolean') return { cost: 1, depth: 1 };
    if (!isObject(part)) return refuse(path, 'a schema is needed');
    const found = known.get(part);
    if (found !== undefined) {
      if (level + found.depth - 1 > MAX_SCHEMA_DEPTH) {
        return refuse(path, `schemas nest more than ${MAX_SCHEMA_DEPTH} deep, references followed`);
      }
      return found;
    }
    if (open.has(part)) return refuse(path, 'its references make a cycle');
    open.add(part);
    let cost = 1;
    let depth = 1;
    const within = (child: unknown, at: string, here: string): void => {
      const inner = costOf(child, at, level + 1);
      cost = add(cost, inner.cost, here);
      depth = Math.max(depth, inner.depth + 1);
    };
    for (const [name, value] of sortedMembers(part)) {
      const here = path + jsonPointer([name]);
      const form = PLAIN.get(name) ?? ANNOTATIONS.get(name);
      if (form) {
        // Engines round fractions differently.
        if (name === 'multipleOf' && !Number.isSafeInteger(value))
          refuse(here, 'a whole number is needed: count in the smallest unit');
        if (name === 'enum' && Array.isArray(value) && value.length === 0)
          refuse(here, 'at least one value is needed');
        if (!form(value)) refuse(here, 'this value has not the form that 2020-12 asks for');
        if (ANNOTATIONS.has(name)) continue;
        cost = add(cost, Math.ceil(canonicalize(value).length / 16), here);
        if (name === 'uniqueItems') cost = add(cost, UNIQUE_ITEMS_COST, here);
      } else if (name === '$schema') {
        if (part !== root || value !== DIALECT) refuse(here, `only ${DIALECT}`);
      } else if (name === '$ref') within(target(value, here), here, here);
      else if (name === 'pattern') cost = add(cost, costOfPattern(value, here), here);
      else if (ONE_SCHEMA.has(name)) within(value, here, here);
      else if (SCHEMA_LISTS.has(name)) {
        if (!Array.isArray(value)) return refuse(here, 'a list of schemas is needed');
        if (value.length === 0) return refuse(here, 'at least one schema is needed');
        for (const [i, item] of value.entries()) within(item, `${here}/${i}`, here);
      } else if (SCHEMA_MAPS.has(name)) {
        if (!isObject(value)) return refuse(here, 'an object of schemas is needed');
        // Some compilers skip `__proto__` silently, and take names with `$` for keywords.
        const isOdd = (key: string): boolean =>
          key === '__proto__' || (name !== 'properties' && key.startsWith('$'));
        if (Object.keys(value).some(isOdd)) refuse(here, 'a member of this name is not judged');
        for (const [key, item] of sortedMembers(value)) {
          if (name === 'patternProperties') cost = add(cost, costOfPattern(key, here), here);
          within(item, here + jsonPointer([key]), here);
        }
      } else refuse(here, 'this keyword is not judged');
    }
    open.delete(part);
    const made = { cost, depth };
    known.set(part, made);
    return made;
  }

  /** Follows `#`, or `#/` and a JSON Pointer. Compilers read spaces differently. */
  function target(reference: unknown, path: string): unknown {
    if (typeof reference !== 'string' || !/^#(\/[^%\s]*)?$/.test(reference)) {
      return refuse(path, 'references stay inside the schema: "#/$defs/…"');
    }
    const found = referred(root, reference);
    if (found === undefined) refuse(path, 'it leads nowhere');
    return found;
  }

  const { cost } = costOf(root, '', 1);
  // Measure after the other checks, because writing recurses.
  if (canonicalize(root).length > MAX_DOCUMENT_BYTES) refuse('', 'it is too long', 'cost');
  return cost;
}

function costOfPattern(pattern: unknown, path: string): number {
  if (typeof pattern !== 'string') return refuse(path, 'a pattern is text', 'schema');
  try {
    return parsePattern(pattern).cost;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return refuse(path, error.message, 'pattern');
  }
}
