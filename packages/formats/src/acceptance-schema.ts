/**
 * Checks strangers' JSON Schemas before they judge: known keywords, local references without cycles, patterns
 * that every engine reads the same, and bounded size, depth and cost.
 */
import { canonicalize, jsonPointer, MAX_DOCUMENT_BYTES, MAX_JUDGEMENT_COST } from '@netd/protocol';
import { FormatError } from './errors.ts';
import { inSlices, Meter } from './meter.ts';
import { parsePattern, PatternError } from './pattern.ts';
import { conforms, preparedSchema, referred, type Fault } from './schema-judge.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/** Referenced parts count at each reference. */
export const MAX_SCHEMA_COST = 20_000;
/** With references followed, since judges recurse. */
export const MAX_SCHEMA_DEPTH = 64;
/** Per item. */
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
const isNumber: Form = (value) => typeof value === 'number' && Number.isFinite(value);
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
  ['multipleOf', (value) => isNumber(value) && (value as number) > 0],
  ['maximum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['minimum', isNumber],
  ['exclusiveMinimum', isNumber],
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
/** Ignored by judges. */
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

function refuse(path: string, detail: string): never {
  throw new FormatError('SCOPE_UNJUDGEABLE', path, detail);
}

/**
 * Takes linear time.
 * @returns about the steps per byte of a deliverable
 * @throws FormatError SCOPE_UNJUDGEABLE
 */
export function checkAcceptanceSchema(schema: unknown): number {
  const root = isObject(schema) ? schema : refuse('', 'an object is needed');
  const known = new Map<unknown, { cost: number; depth: number }>();
  const open = new Set<unknown>();
  const add = (total: number, more: number, path: string): number =>
    total + more > MAX_SCHEMA_COST ? refuse(path, 'it has too many parts') : total + more;

  /** @param level with references followed */
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
    for (const [name, value] of Object.entries(part)) {
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
        for (const [key, item] of Object.entries(value)) {
          // Some compilers skip it silently.
          if (key === '__proto__') refuse(here, 'a member of this name is not judged');
          // Compilers take it for a keyword.
          if (name !== 'properties' && key.startsWith('$'))
            refuse(here, 'a member of this name is not judged');
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

  /** `#`, or `#/` and a JSON Pointer. Compilers read spaces differently. */
  function target(reference: unknown, path: string): unknown {
    if (typeof reference !== 'string' || !/^#(\/[^%\s]*)?$/.test(reference)) {
      return refuse(path, 'references stay inside the schema: "#/$defs/…"');
    }
    const found = referred(root, reference);
    if (found === undefined) refuse(path, 'it leads nowhere');
    return found;
  }

  const { cost } = costOf(root, '', 1);
  // Writing recurses.
  if (canonicalize(root).length > MAX_DOCUMENT_BYTES) refuse('', 'it is too long');
  return cost;
}

/** @throws FormatError if engines would read it differently */
function costOfPattern(pattern: unknown, path: string): number {
  if (typeof pattern !== 'string') return refuse(path, 'a pattern is text');
  try {
    return parsePattern(pattern).cost;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return refuse(path, error.message);
  }
}

export interface SchemaVerdict {
  met: boolean;
  /** For people. */
  reason: string;
}

/**
 * Judges in slices, so that other work goes on.
 * @param deliverable of `byteLength` bytes as text
 * @throws FormatError if the schema is refused; the signal's reason
 */
export async function judgeBySchema(
  schema: object,
  deliverable: unknown,
  byteLength: number,
  signal?: AbortSignal,
): Promise<SchemaVerdict> {
  if (checkAcceptanceSchema(schema) * byteLength > MAX_JUDGEMENT_COST) {
    return { met: false, reason: `judging ${byteLength} bytes by this schema costs too much` };
  }
  const meter = new Meter();
  const job = conforms(preparedSchema(schema), deliverable, meter);
  const fault: Fault | null = await inSlices(job, meter, signal);
  if (fault === null) return { met: true, reason: '' };
  return { met: false, reason: `${fault.path || 'the deliverable'} ${fault.message}` };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
