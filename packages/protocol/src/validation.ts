/**
 * Schemas as executable rules. JSON Schema 2020-12 says exactly what passes, so every implementation gives the same verdict.
 * The wording differs between implementations, and therefore never enters state, receipts or hashes.
 */
import { ruleOf, type Rule, type Violation } from './schema-rules.ts';
import type { TSchema } from './type.ts';

export type { Violation } from './schema-rules.ts';

/** Violations reported at most; the rest of a hopeless value is not worth listing. */
const MAX_VIOLATIONS = 16;

export interface CheckOptions {
  /**
   * Lists up to 16 violations; without it a check ends at the first. For values that the caller has bounded to the size of an
   * envelope: their schemas may have arrays without `maxItems`.
   */
  listAll?: boolean;
  /** The value was made here: its arrays may be as long as they are. */
  isOwn?: boolean;
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
 * Returns a check that answers null for a conforming value. Its rules are made with the first value, so that a start does not
 * pay for schemas that it never uses. No code is made from strings.
 * @throws Error at the first check if the schema has an unknown keyword, or an array without `maxItems`
 */
export function compileSchema(
  schema: TSchema,
  { listAll = false, isOwn = false }: CheckOptions = {},
): (value: unknown) => Violation[] | null {
  let rule: Rule | null = null;
  return (value) => {
    if (!rule) {
      // What an envelope can hold is bounded by its bytes.
      if (!isOwn && !listAll) requireBoundedArrays(schema);
      rule = ruleOf(schema, listAll ? MAX_VIOLATIONS : 1);
    }
    return rule(value)?.slice(0, MAX_VIOLATIONS) ?? null;
  };
}
