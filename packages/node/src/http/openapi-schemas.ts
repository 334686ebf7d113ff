/**
 * The schemas of the description: each shape once, by name, in the forms that code generators understand. What validates
 * is not touched; all of this happens to a copy, when somebody first asks for /openapi.json.
 */
import {
  ActorId,
  Amount,
  canonicalize,
  FreeString,
  Hash,
  Height,
  HttpsUri,
  Nonce,
  PublicKeyPem,
  RecordId,
  Timestamp,
  type JsonObject,
  type JsonValue,
} from '@netd/protocol';

/** What most places copy with a description of their own: the first to be named, so that theirs is not taken for it. */
const SCALARS = [
  ActorId,
  Amount,
  FreeString,
  Hash,
  Height,
  HttpsUri,
  Nonce,
  PublicKeyPem,
  RecordId,
  Timestamp,
];

const REFERENCE = '#/components/schemas/';

export const reference = (name: string): JsonObject => ({ $ref: `${REFERENCE}${name}` });

/** The name of a document or record by its schema identifier: `NET-AGENT-LINEAGE/1` is AgentLineage. */
function documentName(identifier: string): string {
  const [words = ''] = identifier.replace(/^NET-/, '').split('/');
  return words
    .split('-')
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join('');
}

export const capitalized = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/**
 * Collects schemas under names. A schema is called by its `title`; an object without one by the schema identifier it
 * carries, else by the object and the member it stands in. A shape that is there already keeps the name it has; what its
 * place says of it stands beside the reference.
 */
export class NamedSchemas {
  private readonly schemas = new Map<string, JsonObject>();
  private readonly nameOfShape = new Map<string, string>();
  private readonly unnamed = new Map<string, string[]>();

  constructor() {
    for (const scalar of SCALARS) this.refer(plainOf(scalar), '');
  }

  /**
   * A schema as it stands in the description: objects with members, and whatever has a title, become references.
   * @param place what it is called if nothing names it
   * @throws Error where two shapes claim one name
   */
  refer(schema: JsonObject, place: string): JsonObject {
    return this.place(normalize(schema), place);
  }

  /** Adds a schema that is made for the description, whole. */
  add(name: string, schema: JsonObject): JsonObject {
    if (this.schemas.has(name)) throw new Error(`two schemas are called ${name}`);
    this.schemas.set(name, schema);
    return reference(name);
  }

  /** All of them, by name. */
  components(): JsonObject {
    return Object.fromEntries([...this.schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Places where a shape recurs that nothing but its first place names. */
  recurring(): string[][] {
    return [...this.unnamed.values()].filter((places) => places.length > 1);
  }

  private place(schema: JsonObject, at: string): JsonObject {
    const { title, ...content } = schema;
    if (!hasMembers(content) && title === undefined) return this.within(content, at);
    const { description, ...shape } = content;
    const key = canonicalize(shape);
    const known = this.nameOfShape.get(key);
    if (known !== undefined && (title === undefined || title === known)) {
      this.unnamed.get(known)?.push(at);
      const about = this.schemas.get(known)?.['description'];
      return description === undefined || description === about
        ? reference(known)
        : { ...reference(known), description };
    }
    const name = (title as string | undefined) ?? identifierOf(content) ?? at;
    if (this.schemas.has(name)) throw new Error(`two shapes are called ${name}, one at ${at}`);
    if (name === at) this.unnamed.set(name, [at]);
    this.nameOfShape.set(key, name);
    // Its place in the list is kept for it while its members are named.
    this.schemas.set(name, content);
    this.schemas.set(name, this.within(content, name));
    return reference(name);
  }

  private within(schema: JsonObject, at: string): JsonObject {
    const placed: JsonObject = { ...schema };
    const properties = schema['properties'] as Record<string, JsonObject> | undefined;
    if (properties) {
      placed['properties'] = Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [
          name,
          this.place(member, `${at}${capitalized(name.replaceAll(/[^A-Za-z0-9]/g, ''))}`),
        ]),
      );
    }
    for (const keyword of ['items', 'additionalProperties']) {
      const inner = schema[keyword];
      if (isSchema(inner)) placed[keyword] = this.place(inner, `${at}Item`);
    }
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
      const options = schema[keyword] as JsonObject[] | undefined;
      if (!options) continue;
      const several = options.filter((option) => option['type'] !== 'null').length > 1;
      placed[keyword] = options.map((option, index) =>
        this.place(option, several ? `${at}Option${index + 1}` : at),
      );
    }
    return placed;
  }
}

const hasMembers = ({ type, properties }: JsonObject): boolean =>
  type === 'object' && Object.keys((properties ?? {}) as JsonObject).length > 0;

const isSchema = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function identifierOf({ properties }: JsonObject): string | null {
  const { schema } = properties as Record<string, JsonObject | undefined>;
  const [identifier] = (schema?.['enum'] ?? []) as string[];
  return identifier === undefined ? null : documentName(identifier);
}

/** Schema objects carry members that only matter to their library. */
export const plainOf = (schema: object): JsonObject =>
  JSON.parse(JSON.stringify(schema)) as JsonObject;

/**
 * The same schema in the forms that generators share: a constant is an enumeration of one, an enumeration says its type,
 * and a value that may be null has two types.
 */
function normalize(schema: JsonObject): JsonObject {
  const mapped = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, normalizeKeyword(keyword, value)]),
  );
  // An object of any members needs no empty list of them.
  if (mapped['type'] === 'object' && !hasMembers(mapped)) delete mapped['properties'];
  const { const: only, anyOf, ...rest } = mapped;
  if (only !== undefined) return withType({ ...rest, enum: [only] });
  if (anyOf === undefined) return withType(mapped);
  return normalizeUnion(anyOf as JsonObject[], rest);
}

function normalizeKeyword(keyword: string, value: JsonValue): JsonValue {
  if (keyword === 'properties') {
    return Object.fromEntries(
      Object.entries(value as Record<string, JsonObject>).map(([name, member]) => [
        name,
        normalize(member),
      ]),
    );
  }
  if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) return (value as JsonObject[]).map(normalize);
  return ['items', 'additionalProperties'].includes(keyword) && isSchema(value)
    ? normalize(value)
    : value;
}

function withType(schema: JsonObject): JsonObject {
  const values = schema['enum'] as JsonValue[] | undefined;
  if (!values || schema['type'] !== undefined) return schema;
  const types = [...new Set(values.map(typeOf))];
  return { ...schema, type: types.length === 1 && types[0] !== undefined ? types[0] : types };
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return typeof value === 'number' ? 'integer' : typeof value;
}

/** @param rest what is said of the union as a whole */
function normalizeUnion(options: JsonObject[], rest: JsonObject): JsonObject {
  const values = options.filter((option) => option['type'] !== 'null');
  const nullable = values.length < options.length;
  const enums = values.every((option) => Array.isArray(option['enum']));
  if (enums && values.length > 0) {
    const all = values.flatMap((option) => option['enum'] as JsonValue[]);
    return withType({ ...rest, enum: nullable ? [...all, null] : all });
  }
  const [only] = values;
  const type = only?.['type'];
  if (values.length !== 1 || !only || typeof type !== 'string' || !nullable) {
    return { ...rest, anyOf: options };
  }
  // An object that may be null stays a choice: as one schema it would be another shape than where it may not.
  if (hasMembers(only)) return { ...rest, anyOf: options };
  const { title: _, ...value } = only;
  return { ...value, ...rest, type: [type, 'null'] };
}
