/**
 * Canonical JSON, RFC 8785 (JCS): one byte sequence for one JSON value, so that it can be hashed and signed.
 * Members sort by UTF-16 code unit, numbers print as ECMAScript prints them, strings are not normalised.
 */

export type JsonValue =
  null | boolean | number | string | JsonValue[] | { [member: string]: JsonValue };

export type JsonObject = { [member: string]: JsonValue };

export class CanonicalJsonError extends Error {
  override name = 'CanonicalJsonError';
}

/**
 * The JCS text of a JSON value.
 * @throws CanonicalJsonError for what JSON or I-JSON cannot say: undefined, functions, NaN, infinities, bigints,
 *   lone surrogates.
 */
export function canonicalize(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return canonicalString(value);
    case 'number':
      if (!Number.isFinite(value)) {
        throw new CanonicalJsonError(`${value} is not a JSON number`);
      }
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
    default:
      throw new CanonicalJsonError(`a value of type ${typeof value} has no JSON form`);
  }
}

/** The members of an object as JCS `"name":value` texts, in canonical order; `omit` names one member to leave out. */
export function canonicalMembers(object: object, omit?: string): string[] {
  const members: string[] = [];
  // The default sort compares UTF-16 code units, which is the order RFC 8785 section 3.2.3 asks for.
  for (const name of Object.keys(object).sort()) {
    if (name === omit) continue;
    const value: unknown = (object as Record<string, unknown>)[name];
    members.push(`${canonicalString(name)}:${canonicalize(value)}`);
  }
  return members;
}

function canonicalObject(object: object): string {
  return `{${canonicalMembers(object).join(',')}}`;
}

function canonicalArray(items: unknown[]): string {
  let text = '[';
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ',';
    text += canonicalize(items[i]);
  }
  return `${text}]`;
}

/** Printable ASCII without quote and backslash: what needs no escape. */
const PLAIN = /^[ !#-[\]-~]*$/;

function canonicalString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) {
    throw new CanonicalJsonError('a string holds a lone surrogate, which I-JSON does not allow');
  }
  return JSON.stringify(text);
}
