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

/** Made with the first check: whoever never checks anything should not wait for it. */
let shared: Ajv2020 | null = null;

function compile(schema: TSchema): ValidateFunction {
  shared ??= new Ajv2020({
    strict: true,
    strictTypes: false,
    allErrors: true,
    // A signed body must reach the rules as it was signed.
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    ownProperties: true,
    // Compiling the schema of schemas takes as long as thirty of ours; the tests check ours against it.
    validateSchema: false,
    // A third of the time to compile, and nothing of that to check.
    code: { optimize: false },
  });
  return shared.compile(schema);
}

/**
 * The check answers null for a conforming value. The schema is compiled when the first value is checked: compiling all
 * of them takes longer than everything else at a start.
 * @throws Error at the first check where the schema itself is not valid
 */
export function compileSchema(schema: TSchema): (value: unknown) => Violation[] | null {
  let validate: ValidateFunction | null = null;
  return (value) => {
    validate ??= compile(schema);
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
