/**
 * JSON Schemas that strangers write, judged without trusting them. Only keywords of a fixed list reach the compiler;
 * references stay inside the schema and make no cycle; patterns are RE2, which has no catastrophic cases; and what a
 * verdict may cost is known before it is begun.
 */
import { canonicalize, MAX_DOCUMENT_BYTES, MAX_JUDGEMENT_COST } from '@netd/protocol';
import {
  Ajv2020,
  type CodeKeywordDefinition,
  type KeywordCxt,
  type ValidateFunction,
} from 'ajv/dist/2020.js';
import contains from 'ajv/dist/vocabularies/applicator/contains.js';
import { RE2JS } from 're2js';
import { FormatError } from './errors.ts';
import { patternCost, PatternError } from './pattern.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/** Parts of a schema, each counted wherever a reference puts it, instructions of its patterns among them. */
const MAX_SCHEMA_COST = 20_000;
/** Every item is compared with others, by its text. */
const UNIQUE_ITEMS_COST = 16;

/** Keywords whose value is a schema. */
const ONE_SCHEMA = [
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
];
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SCHEMA_MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];
const PLAIN = [
  'type',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'required',
  'dependentRequired',
];
/** Keywords for readers; no check uses them. */
const ANNOTATIONS = [
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'format',
  'contentEncoding',
  'contentMediaType',
];
const KEYWORDS = new Set([
  '$schema',
  '$ref',
  'pattern',
  ...ONE_SCHEMA,
  ...SCHEMA_LISTS,
  ...SCHEMA_MAPS,
  ...PLAIN,
  ...ANNOTATIONS,
]);

function refuse(path: string, detail: string): never {
  throw new FormatError('SCOPE_UNJUDGEABLE', path, detail);
}

/**
 * Whether a schema may be judged at all: known keywords, each of its right form, and a bounded cost.
 * @returns its cost: parts after all references are followed
 * @throws FormatError with the place and the reason
 */
export function checkAcceptanceSchema(schema: unknown): number {
  const root = isObject(schema) ? schema : refuse('', 'an object is needed');
  if (canonicalize(root).length > MAX_DOCUMENT_BYTES) refuse('', 'it is too long');
  const costs = new Map<unknown, number>();
  const open = new Set<unknown>();
  const add = (total: number, more: number, path: string): number =>
    total + more > MAX_SCHEMA_COST ? refuse(path, 'it has too many parts') : total + more;

  function costOf(part: unknown, path: string): number {
    if (typeof part === 'boolean') return 1;
    if (!isObject(part)) return refuse(path, 'a schema is needed');
    const known = costs.get(part);
    if (known !== undefined) return known;
    if (open.has(part)) return refuse(path, 'its references make a cycle');
    open.add(part);
    let total = 1;
    for (const [name, value] of Object.entries(part)) {
      const here = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!KEYWORDS.has(name)) refuse(here, 'this keyword is not judged');
      if (name === '$schema' && (part !== root || value !== DIALECT))
        refuse(here, `only ${DIALECT}`);
      if (name === '$ref') total = add(total, costOf(target(value, here), here), here);
      else if (name === 'pattern') total = add(total, costOfPattern(value, here), here);
      else if (ONE_SCHEMA.includes(name)) total = add(total, costOf(value, here), here);
      else if (SCHEMA_LISTS.includes(name)) {
        if (!Array.isArray(value)) return refuse(here, 'a list of schemas is needed');
        for (const [i, item] of value.entries())
          total = add(total, costOf(item, `${here}/${i}`), here);
      } else if (SCHEMA_MAPS.includes(name)) {
        if (!isObject(value)) return refuse(here, 'an object of schemas is needed');
        for (const [key, item] of Object.entries(value)) {
          // Compilers leave it out, some of them in silence.
          if (key === '__proto__') refuse(here, 'a member of this name is not judged');
          // A compiler takes it for a keyword.
          if (name !== 'properties' && key.startsWith('$'))
            refuse(here, 'a member of this name is not judged');
          if (name === 'patternProperties') total = add(total, costOfPattern(key, here), here);
          total = add(total, costOf(item, `${here}/${key}`), here);
        }
      } else if (PLAIN.includes(name)) {
        // Fractions are what the doubles of each engine make of them.
        if (name === 'multipleOf' && !Number.isSafeInteger(value))
          refuse(here, 'a whole number is needed: count in the smallest unit');
        if (name === 'enum' && Array.isArray(value) && value.length === 0)
          refuse(here, 'at least one value is needed');
        total = add(total, Math.ceil(canonicalize(value).length / 16), here);
        if (name === 'uniqueItems') total = add(total, UNIQUE_ITEMS_COST, here);
      }
    }
    open.delete(part);
    costs.set(part, total);
    return total;
  }

  /** A place inside the schema: `#`, or `#/` and a JSON Pointer, without spaces, of which compilers make different things. */
  function target(reference: unknown, path: string): unknown {
    if (typeof reference !== 'string' || !/^#(\/[^%\s]*)?$/.test(reference)) {
      return refuse(path, 'references stay inside the schema: "#/$defs/…"');
    }
    let found: unknown = root;
    for (const step of reference.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const holder = found as Record<string, unknown>;
      if (typeof found !== 'object' || found === null || !Object.hasOwn(holder, name)) {
        return refuse(path, 'it leads nowhere');
      }
      found = holder[name];
    }
    return found;
  }

  const cost = costOf(root, '');
  // Only now: what is too much or goes in circles reaches no compiler.
  requireDialect(root);
  compile(root);
  return cost;
}

/** @throws FormatError where engines would read it differently, or RE2 not at all */
function costOfPattern(pattern: unknown, path: string): number {
  if (typeof pattern !== 'string') return refuse(path, 'a pattern is text');
  try {
    const cost = patternCost(pattern);
    linearPattern(pattern);
    return cost;
  } catch (error) {
    return refuse(
      path,
      error instanceof PatternError ? error.message : 'RE2 does not know this pattern',
    );
  }
}

const linearPattern = (pattern: string): RE2JS => RE2JS.compile(RE2JS.translateRegExp(pattern));

/** How the judge's compiler makes a pattern; `code` names it there. */
const regExp = Object.assign((pattern: string) => linearPattern(pattern) as unknown as RegExp, {
  code: 'linearPattern',
});

export interface SchemaVerdict {
  met: boolean;
  /** The first place that breaks the schema, for people. */
  reason: string;
}

/**
 * @param deliverable a JSON value, of `byteLength` bytes as text
 * @throws FormatError where the schema is refused
 */
export function judgeBySchema(
  schema: object,
  deliverable: unknown,
  byteLength: number,
): SchemaVerdict {
  if (checkAcceptanceSchema(schema) * byteLength > MAX_JUDGEMENT_COST) {
    return { met: false, reason: `judging ${byteLength} bytes by this schema costs too much` };
  }
  const validate = compile(schema);
  if (validate(deliverable)) return { met: true, reason: '' };
  const { instancePath = '', message = 'is not valid' } = validate.errors?.[0] ?? {};
  return { met: false, reason: `${instancePath || 'the deliverable'} ${message}` };
}

/** The schema of schemas, compiled at its first use. */
let dialect: Ajv2020 | null = null;

/** @throws FormatError with the place of the first keyword whose value has the wrong form */
function requireDialect(schema: object): void {
  dialect ??= new Ajv2020({ strict: false, validateFormats: false, logger: false });
  if (dialect.validateSchema(schema) === true) return;
  const { instancePath = '', message = 'is not valid' } = dialect.errors?.[0] ?? {};
  refuse(instancePath, message);
}

/** Node has the module of CommonJS as the default, some bundlers its export. */
const imported: unknown = contains;
const CONTAINS = ((imported as { default?: unknown }).default ?? imported) as CodeKeywordDefinition;

/** Ajv's `contains`, but it forgets after each item what was wrong with it. */
function containsWithoutErrors(context: KeywordCxt): void {
  const subschema = context.subschema.bind(context);
  context.subschema = (applied, valid) => {
    const made = subschema({ ...applied, createErrors: false }, valid);
    context.reset();
    return made;
  };
  CONTAINS.code(context);
}

/** Schemas are checked, and then judged by. */
const compiled = new WeakMap<object, ValidateFunction>();

/** @throws FormatError where the schema is one that the compiler does not take */
function compile(schema: object): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const ajv = new Ajv2020({
    strict: false,
    // Checked before, by a compiler that is made once.
    validateSchema: false,
    meta: false,
    validateFormats: false,
    logger: false,
    ownProperties: true,
    // Each reference is a function of its own: what is put in place would multiply.
    inlineRefs: false,
    addUsedSchema: false,
    code: { regExp },
  });
  // The one built in compares every item with every other.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: areUnique,
  });
  // The one built in divides, and looks at the text of what comes out: of large numbers it takes what is no multiple.
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: isMultiple,
    error: { message: 'must be a whole multiple of what the schema names' },
  });
  // The one built in keeps an error, or several, for each item that does not fit, until one does: gigabytes for a large list.
  ajv.removeKeyword('contains');
  ajv.addKeyword({ ...CONTAINS, code: containsWithoutErrors });
  try {
    const validate = ajv.compile(schema);
    compiled.set(schema, validate);
    return validate;
  } catch (error) {
    return refuse('', (error as Error).message);
  }
}

/** `multipleOf` for whole numbers that every reader of JSON reads alike; any other number is no multiple. */
const isMultiple = (divisor: number, value: number): boolean =>
  Number.isSafeInteger(value) && value % divisor === 0;

function areUnique(asked: boolean, items: unknown[]): boolean {
  return !asked || new Set(items.map((item) => canonicalize(item))).size === items.length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
