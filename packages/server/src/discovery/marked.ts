/** Marks everything that the node is not known to write, so that new members are marked too. */
import { ACTIONS, EVENTS } from '@netd/ledger';
import { HASH_PATTERN, TIMESTAMP_PATTERN, type JsonObject, type JsonValue } from '@netd/protocol';
import { untrusted, type Untrusted } from '@netd/protocol/untrusted';
import { EXAMPLES } from '@netd/documents';

export interface Shape {
  title?: string;
  type?: string;
  anyOf?: Shape[];
  const?: unknown;
  enum?: unknown[];
  items?: Shape;
  properties?: Record<string, Shape>;
  additionalProperties?: unknown;
}

const SAYS = 'says';

const OWN_MEMBERS: ReadonlySet<string> = new Set([
  'action',
  'boundaries',
  'chainId',
  'conventions',
  'howToVerify',
  'meaning',
  'nextCursor',
  'publicUrl',
  'reading',
  'refusal',
  'roles',
  'rule',
  'schema',
  'why',
]);

const OWN_OF_REQUESTS: ReadonlySet<string> = new Set(['endpoint', 'replace']);

/** Texts of these forms cannot carry a message. */
const HARMLESS = [HASH_PATTERN, TIMESTAMP_PATTERN, '^[0-9.]*$'].map((one) => new RegExp(one));
const OWN_TEXTS: ReadonlySet<string> = new Set([
  ...EXAMPLES,
  ...ACTIONS.keys(),
  ...Object.keys(EVENTS),
]);
const OWN_OBJECTS: ReadonlySet<string> = new Set(['envelope', 'payload']);

export function isOwnText(text: string): boolean {
  return OWN_TEXTS.has(text) || HARMLESS.some((pattern) => pattern.test(text));
}

export function marked(text: string): string {
  return JSON.stringify(untrusted(null, text));
}

export function markGiven(given: JsonObject): JsonObject | Untrusted<JsonObject> {
  const isOwn = Object.entries(given).every(
    ([name, value]) => typeof value !== 'string' || name === 'cursor' || isOwnText(value),
  );
  return isOwn ? given : untrusted(null, given);
}

/**
 * @param own further paths that the node writes, with everything below them, such as `timeline.events.type`
 */
export function markDocument(
  document: JsonObject,
  schema: object,
  own: readonly string[],
): JsonObject {
  const place = { path: '', own: new Set(own), found: new Set<string>() };
  const shapes = optionsOf(schema);
  ofObject(document, shapes, place);
  return ofObject(document, shapes, place);
}

interface Place {
  path: string;
  own: ReadonlySet<string>;
  found: Set<string>;
}

/** Returns the node's part of the value; null if there is none. */
function ofValue(value: JsonValue, shapes: Shape[], place: Place): JsonValue | null {
  if (typeof value === 'string') return isOwnString(value, shapes) ? value : null;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return ofArray(value, shapes, place);
  if (shapes.some(({ type }) => type === 'integer')) return value;
  if (shapes.some(({ properties = {} }) => Object.keys(properties).length > 0)) {
    return ofObject(value, shapes, place);
  }
  // Strangers may have chosen the names of its members too.
  return Object.keys(value).length === 0 || isRequest(value, place.path) ? value : null;
}

function ofArray(values: JsonValue[], shapes: Shape[], place: Place): JsonValue | null {
  const items = shapes.flatMap((shape) => optionsOf(shape.items));
  const marks = values.map((value) => (value === null ? value : ofValue(value, items, place)));
  const isTheirs = marks.some((mark, index) => mark === null && values[index] !== null);
  return isTheirs ? null : marks;
}

function ofObject(value: JsonObject, shapes: Shape[], place: Place): JsonObject {
  const { path, own, found } = place;
  const isSuggestion = shapes.some(({ title }) => title === 'SignedRequest');
  const members: JsonObject = {};
  const theirs: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    const here = path === '' ? name : `${path}.${name}`;
    const known = shapes.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? optionsOf(properties[name]) : [],
    );
    const isNodes =
      OWN_MEMBERS.has(name) || own.has(here) || (isSuggestion && OWN_OF_REQUESTS.has(name));
    const isOwn = isNodes && !quotes(textsOf(member), found);
    const mark = isOwn ? member : ofValue(member, known, { ...place, path: here });
    if (isOwn || (known.length > 0 && (mark !== null || member === null))) {
      members[name] = mark;
      continue;
    }
    for (const id of idsOf(name, member)) found.add(id);
    members[SAYS] ??= untrusted(null, theirs) as unknown as JsonObject;
    theirs[name] = member;
  }
  return members;
}

/** Shorter texts occur in any sentence, so they do not count as quotes. */
const LEAST_QUOTED = 3;

function quotes(texts: readonly string[], found: ReadonlySet<string>): boolean {
  const quoted = [...found].filter(({ length }) => length >= LEAST_QUOTED);
  return texts.some((text) => quoted.some((one) => text.includes(one)));
}

function isOwnString(value: string, shapes: Shape[]): boolean {
  return (
    isOwnText(value) || shapes.some((shape) => shape.const === value || shape.enum?.includes(value))
  );
}

function isRequest(value: JsonObject, path: string): boolean {
  return OWN_OBJECTS.has(path.split('.').at(-1) ?? '') && textsOf(value).every(isOwnText);
}

function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'chainId' ? [] : textsOf(member),
  );
}

function idsOf(name: string, member: JsonValue): string[] {
  if (typeof member === 'string') return name.endsWith('Id') ? [member] : [];
  if (member === null || typeof member !== 'object') return [];
  return Object.entries(member).flatMap(([below, value]) => idsOf(below, value));
}

export function optionsOf(shape: Shape | undefined): Shape[] {
  if (shape === undefined) return [];
  return shape.anyOf?.flatMap(optionsOf) ?? [shape];
}
