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
  // JCS prints like ECMAScript: of what is in order already the engine makes the same text, for half the time and an
  // eighth of the memory.
  return isInOrder(value) ? JSON.stringify(value) : canonicalText(value);
}

/** Whether a value is JSON with the members of every object in canonical order: then `JSON.stringify` gives its text. */
export function isInOrder(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed();
    case 'number':
      return Number.isFinite(value);
    case 'boolean':
      return true;
    case 'object':
      if (value === null) return true;
      return Array.isArray(value) ? hasItemsInOrder(value) : hasMembersInOrder(value);
    default:
      return false;
  }
}

function hasItemsInOrder(items: unknown[]): boolean {
  for (let i = 0; i < items.length; i++) if (!isInOrder(items[i])) return false;
  return true;
}

function hasMembersInOrder(object: object): boolean {
  // Whatever has a class may have a JSON form of its own, which JCS knows nothing of.
  if (Object.getPrototypeOf(object) !== Object.prototype) return false;
  let previous = '';
  // Members that a program has put onto Object.prototype come along, at the end: they can only make the answer no.
  for (const name in object) {
    if (previous > name) return false;
    if (!name.isWellFormed() || !isInOrder((object as Record<string, unknown>)[name])) return false;
    previous = name;
  }
  return true;
}

function canonicalText(value: unknown): string {
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
  for (const name of namesInOrder(object)) {
    if (name === omit) continue;
    const value: unknown = (object as Record<string, unknown>)[name];
    members.push(labelOf(name) + canonicalText(value));
  }
  return members;
}

/** Beyond so many, comparing each with all before it would cost more than the copy that sorting makes. */
const FEW_NAMES = 24;

/** The names of the members by UTF-16 code unit, RFC 8785 section 3.2.3. */
function namesInOrder(object: object): string[] {
  const names = Object.keys(object);
  // Sorting compares code units by default.
  if (names.length > FEW_NAMES) return names.sort();
  for (let index = 1; index < names.length; index++) {
    const name = names[index] as string;
    let at = index;
    for (; at > 0 && (names[at - 1] as string) > name; at--) names[at] = names[at - 1] as string;
    names[at] = name;
  }
  return names;
}

function canonicalObject(object: object): string {
  let text = '{';
  for (const name of namesInOrder(object)) {
    if (text !== '{') text += ',';
    text += labelOf(name) + canonicalText((object as Record<string, unknown>)[name]);
  }
  return `${text}}`;
}

function canonicalArray(items: unknown[]): string {
  let text = '[';
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ',';
    text += canonicalText(items[i]);
  }
  return `${text}]`;
}

/** Names with quotes and colon: most are those of the schemas, again and again. */
const labels = new Map<string, string>();
const LABELS_KEPT = 2_000;
const LONGEST_KEPT = 64;

function labelOf(name: string): string {
  const known = labels.get(name);
  if (known !== undefined) return known;
  const label = `${canonicalString(name)}:`;
  if (labels.size >= LABELS_KEPT) labels.clear();
  if (name.length <= LONGEST_KEPT) labels.set(name, label);
  return label;
}

function canonicalString(text: string): string {
  if (!text.isWellFormed()) {
    throw new CanonicalJsonError('a string holds a lone surrogate, which I-JSON does not allow');
  }
  return JSON.stringify(text);
}
