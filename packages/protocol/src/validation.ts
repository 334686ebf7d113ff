/**
 * Validation by JSON Schema 2020-12, so every implementation gives the same verdict. Wordings differ and
 * never enter state, receipts or hashes.
 */
import { ruleOf, type Rule, type Violation } from './schema-rules.ts';
import type { TSchema } from './type.ts';

export type { Violation } from './schema-rules.ts';

const MAX_VIOLATIONS = 16;

export interface CheckOptions {
  /**
   * Lists up to 16 violations; otherwise a check stops at the first. Arrays may lack `maxItems`, because the
   * caller has bounded the value to an envelope.
   */
  listAll?: boolean;
  /** True for values made here, whose arrays may be unbounded. */
  isOwn?: boolean;
}

const NAMED_SCHEMAS = new Set(['properties', '$defs', 'patternProperties']);
const VALUES = new Set(['const', 'enum', 'default', 'examples']);

/** Rejects unbounded arrays, in which megabytes of two-byte items could pass. */
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
 * Returns a check that gives null for a conforming value. Compiles at the first value, so that unused schemas
 * cost nothing.
 * @throws Error at the first check if a keyword is unknown or an array lacks `maxItems`
 */
export function compileSchema(
  schema: TSchema,
  { listAll = false, isOwn = false }: CheckOptions = {},
): (value: unknown) => Violation[] | null {
  let rule: Rule | null = null;
  return (value) => {
    if (!rule) {
      // An envelope is bounded by its bytes.
      if (!isOwn && !listAll) requireBoundedArrays(schema);
      rule = ruleOf(schema, listAll ? MAX_VIOLATIONS : 1);
    }
    return rule(value)?.slice(0, MAX_VIOLATIONS) ?? null;
  };
}
