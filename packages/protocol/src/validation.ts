/**
 * Schemas as executable rules. JSON Schema 2020-12 says exactly what passes, so the yes or no of a check does not
 * depend on the validator's version; its wording does, and therefore never enters state, receipts or hashes.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from './type.ts';

/** One place where a value breaks its schema. */
export interface Violation {
  /** JSON Pointer of the value at fault, '' for the whole. */
  path: string;
  message: string;
}

/** Violations reported at most; the rest of a hopeless value is not worth listing. */
const MAX_VIOLATIONS = 16;

export interface CheckOptions {
  /**
   * Lists up to 16 violations. For values whose size the caller has bounded to that of an envelope: each violation takes memory
   * while the check runs, thousands of bytes for one of the value. Without it a check ends at the first.
   */
  listAll?: boolean;
  /** The value was made here: its arrays may be as long as they are. */
  isOwn?: boolean;
}

/** Made with the first check, so that a program that checks nothing does not wait for it. */
const shared: { first: Ajv2020 | null; all: Ajv2020 | null } = { first: null, all: null };

function compile(schema: TSchema, listAll: boolean): ValidateFunction {
  const ajv = (shared[listAll ? 'all' : 'first'] ??= new Ajv2020({
    strict: true,
    strictTypes: false,
    allErrors: listAll,
    // A signed body must reach the rules as it was signed.
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    ownProperties: true,
    // Compiling the schema of schemas takes as long as thirty of ours; the tests check ours against it.
    validateSchema: false,
    // A third of the time to compile, and nothing of that to check.
    code: { optimize: false },
  }));
  return ajv.compile(schema);
}

/** The member of a schema whose own members are schemas by name, not keywords. */
const NAMED_SCHEMAS = new Set(['properties', '$defs', 'patternProperties']);
/** Members of a schema that hold values. */
const VALUES = new Set(['const', 'enum', 'default', 'examples']);

/**
 * An array without `maxItems` can fill an answer of megabytes with items of two bytes.
 * @throws Error where the schema has one
 */
function requireBoundedArrays(part: unknown, path = ''): void {
  if (typeof part !== 'object' || part === null) return;
  const { type, maxItems } = part as { type?: unknown; maxItems?: unknown };
  if (type === 'array' && maxItems === undefined) {
    throw new Error(`the array at ${path || 'the root'} of the schema needs maxItems`);
  }
  for (const [name, value] of Object.entries(part)) {
    const here = `${path}/${name}`;
    if (NAMED_SCHEMAS.has(name)) {
      for (const [key, schema] of Object.entries(value as object)) {
        requireBoundedArrays(schema, `${here}/${key}`);
      }
    } else if (!VALUES.has(name)) requireBoundedArrays(value, here);
  }
}

/**
 * The check answers null for a conforming value. The schema is compiled when the first value is checked: compiling all
 * of them takes longer than everything else at a start.
 * @throws Error at the first check where the schema itself is not valid, or has an array without `maxItems`
 */
export function compileSchema(
  schema: TSchema,
  { listAll = false, isOwn = false }: CheckOptions = {},
): (value: unknown) => Violation[] | null {
  let validate: ValidateFunction | null = null;
  return (value) => {
    if (!validate) {
      // What an envelope can hold is bounded by its bytes.
      if (!isOwn && !listAll) requireBoundedArrays(schema);
      validate = compile(schema, listAll);
    }
    if (validate(value)) return null;
    return (validate.errors ?? []).slice(0, MAX_VIOLATIONS).map(toViolation);
  };
}

/** One violation as a person would say it, from what Ajv reports (also used for Fastify's own validation). */
export function toViolation(error: ErrorObject): Violation {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return {
        path: `${error.instancePath}/${escapePointer(String(params['missingProperty']))}`,
        message: 'is required',
      };
    case 'additionalProperties':
      return {
        path: `${error.instancePath}/${escapePointer(String(params['additionalProperty']))}`,
        message: 'is not a member of this object; remove it',
      };
    case 'const':
      return {
        path: error.instancePath,
        message: `must be ${JSON.stringify(params['allowedValue'])}`,
      };
    case 'enum':
      return {
        path: error.instancePath,
        message: `must be one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`,
      };
    default:
      return { path: error.instancePath, message: error.message ?? 'is not valid' };
  }
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
