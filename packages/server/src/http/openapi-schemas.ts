/**
 * Names each shape once, in forms that code generators understand. Works on a copy, because the originals
 * validate.
 */
import {
  ActorId,
  Amount,
  BlockHeader,
  canonicalize,
  FreeString,
  Hash,
  Height,
  HttpsUri,
  Nonce,
  PublicKeyPem,
  ReceiptEvent,
  RecordId,
  StateProof,
  Timestamp,
  Uri,
  type JsonObject,
  type JsonValue,
} from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import {
  BlockFacts,
  Boundaries,
  DocumentFrame,
  FeedEvent,
  NetworkIdentity,
  NextActions,
  OrderTerms,
  SnapshotFacts,
} from '@netd/documents';
import { CommittedFrame } from './committed.ts';

/** Named first, because they are often copied with other descriptions. */
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
  Uri,
];

const Guidance = Type.Object(
  { nextActions: NextActions, boundaries: Boundaries },
  {
    title: 'Guidance',
    description: 'What the reader could sign next, and what the document must not be taken for.',
  },
);

/**
 * Schemas that others extend, larger ones first. They have no null members, which openapi-generator loses.
 */
const BASES = [
  DocumentFrame,
  OrderTerms,
  BlockHeader,
  NetworkIdentity,
  StateProof,
  FeedEvent,
  ReceiptEvent,
  SnapshotFacts,
  BlockFacts,
  CommittedFrame,
  Guidance,
];

const REFERENCE = '#/components/schemas/';

export const reference = (name: string): JsonObject => ({ $ref: `${REFERENCE}${name}` });

function documentName(identifier: string): string {
  const [words = ''] = identifier.replace(/^NET-/, '').split('/');
  return words
    .split('-')
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join('');
}

export const capitalized = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

interface Place {
  root: string;
  short: string;
  long: string;
}

const placeOf = (name: string): Place => ({ root: name, short: name, long: name });

function memberOf({ root, long }: Place, name: string): Place {
  const word = capitalized(name.replaceAll(/[^A-Za-z0-9]/g, ''));
  return { root, short: `${root}${word}`, long: `${long}${word}` };
}

const itemOf = ({ root, short, long }: Place): Place => ({
  root,
  short: singular(short),
  long: singular(long),
});

const singular = (name: string): string =>
  /[^s]s$/.test(name)
    ? name.replace(/ies$/, 'y').replace(/sses$/, 'sss').replace(/s$/, '')
    : `${name}Item`;

const optionOf = ({ root, short, long }: Place, index: number): Place => ({
  root,
  short: `${short}Option${index + 1}`,
  long: `${long}Option${index + 1}`,
});

interface Base {
  name: string;
  members: Record<string, JsonObject>;
  required: ReadonlySet<string>;
}

const baseOf = (name: string, { properties, required = [] }: JsonObject): Base => ({
  name,
  members: properties as Record<string, JsonObject>,
  required: new Set(required as string[]),
});

/**
 * Named schemas. Requests are closed, as the ledger checks them. Answers are open, because they may gain
 * members.
 */
export class NamedSchemas {
  private readonly schemas = new Map<string, JsonObject>();
  private readonly nameOfShape = new Map<string, string>();
  private readonly unnamed = new Map<string, string[]>();
  private readonly bases: Base[] = [];

  constructor() {
    for (const scalar of SCALARS) this.sent(plainOf(scalar), '');
    for (const base of BASES) {
      const schema = opened(normalize(plainOf(base)));
      this.answer(plainOf(base), '');
      this.bases.push(baseOf(schema['title'] as string, schema));
    }
  }

  extendSent(name: string, schema: JsonObject): void {
    this.bases.push(baseOf(name, normalize(schema)));
  }

  /**
   * Names a schema for answers that contain a whole request. It stays open, because closed schemas cannot be
   * extended.
   */
  extendAnswered(name: string, schema: JsonObject): void {
    const { additionalProperties: _closed, ...extensible } = this.schemas.get(name) ?? {};
    this.schemas.set(name, extensible);
    this.bases.push(baseOf(name, opened(normalize(schema))));
  }

  /**
   * Replaces objects with members, and schemas with a title, by references.
   * @param place name if nothing else gives one
   * @throws Error if two shapes have the same name
   */
  sent(schema: JsonObject, place: string): JsonObject {
    return this.place(normalize(schema), placeOf(place));
  }

  answer(schema: JsonObject, place: string): JsonObject {
    return this.place(opened(normalize(schema)), placeOf(place));
  }

  says({ $ref }: JsonObject, description: JsonValue | undefined): boolean {
    const name = typeof $ref === 'string' ? $ref.slice(REFERENCE.length) : '';
    return description !== undefined && this.schemas.get(name)?.['description'] === description;
  }

  add(name: string, schema: JsonObject): JsonObject {
    if (this.schemas.has(name)) throw new Error(`two schemas are called ${name}`);
    this.schemas.set(name, schema);
    return reference(name);
  }

  components(): JsonObject {
    return Object.fromEntries([...this.schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  recurring(): string[][] {
    return [...this.unnamed.values()].filter((places) => places.length > 1);
  }

  private place(schema: JsonObject, at: Place): JsonObject {
    const { title, ...content } = schema;
    if (!hasMembers(content) && title === undefined) return this.within(content, at);
    const { description, ...shape } = content;
    // Open and closed forms are one shape. Requests come first, so answers use their form too.
    const key = canonicalize(hasMembers(shape) ? opened(shape) : shape);
    const known =
      title === undefined
        ? this.nameOfShape.get(key)
        : this.nameOfShape.get(`${title as string} ${key}`);
    if (known !== undefined) {
      this.unnamed.get(known)?.push(at.long);
      const about = this.schemas.get(known)?.['description'];
      return description === undefined || description === about
        ? reference(known)
        : { ...reference(known), description };
    }
    const given = (title as string | undefined) ?? identifierOf(content);
    const name = given ?? (this.schemas.has(at.short) ? at.long : at.short);
    if (this.schemas.has(name)) throw new Error(`two shapes are called ${name}`);
    if (given === null) this.unnamed.set(name, [at.long]);
    this.nameOfShape.set(`${name} ${key}`, name);
    if (!this.nameOfShape.has(key)) this.nameOfShape.set(key, name);
    this.schemas.set(name, content);
    const inside = given === null ? { ...at, long: name } : placeOf(name);
    this.schemas.set(name, this.within(this.extending(content), inside));
    return reference(name);
  }

  private extending(schema: JsonObject): JsonObject {
    const { type: _object, properties, required = [], description, ...rest } = schema;
    const members = { ...(properties as Record<string, JsonObject> | undefined) };
    const names = new Set(required as string[]);
    const from = this.bases.filter((base) => {
      const own = Object.entries(base.members);
      const extended =
        rest['additionalProperties'] !== false &&
        own.length < Object.keys(members).length &&
        own.every(
          ([name, member]) =>
            names.has(name) === base.required.has(name) && sameShape(members[name], member),
        );
      for (const [name] of extended ? own : []) {
        delete members[name];
        names.delete(name);
      }
      return extended;
    });
    if (from.length === 0) return schema;
    const own = { ...rest, properties: members, required: [...names] };
    return {
      ...(description === undefined ? {} : { description }),
      allOf: [...from.map(({ name }) => reference(name)), own],
    };
  }

  private within(schema: JsonObject, at: Place): JsonObject {
    const placed: JsonObject = { ...schema };
    const properties = schema['properties'] as Record<string, JsonObject> | undefined;
    if (properties) {
      placed['properties'] = Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [
          name,
          this.place(member, memberOf(at, name)),
        ]),
      );
    }
    for (const keyword of ['items', 'additionalProperties']) {
      const inner = schema[keyword];
      if (isSchema(inner)) placed[keyword] = this.place(inner, itemOf(at));
    }
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
      const options = schema[keyword] as JsonObject[] | undefined;
      if (!options) continue;
      const several = options.filter((option) => option['type'] !== 'null').length > 1;
      placed[keyword] = options.map((option, index) =>
        keyword === 'allOf' && hasMembers(option)
          ? this.within(option, at)
          : this.place(option, several ? optionOf(at, index) : at),
      );
    }
    return placed;
  }
}

const hasMembers = ({ type, properties }: JsonObject): boolean =>
  type === 'object' && Object.keys((properties ?? {}) as JsonObject).length > 0;

const sameShape = (a: JsonObject | undefined, b: JsonObject): boolean =>
  a !== undefined && canonicalize(a) === canonicalize(b);

const isSchema = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function identifierOf({ properties }: JsonObject): string | null {
  const { schema } = properties as Record<string, JsonObject | undefined>;
  const [identifier] = (schema?.['enum'] ?? []) as string[];
  return identifier === undefined ? null : documentName(identifier);
}

export const plainOf = (schema: object): JsonObject =>
  JSON.parse(JSON.stringify(schema)) as JsonObject;

const MAX_INT32 = 0x7fff_ffff;

function normalize(schema: JsonObject): JsonObject {
  const mapped = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, within(keyword, value, normalize)]),
  );
  if (mapped['type'] === 'object' && !hasMembers(mapped)) delete mapped['properties'];
  if (Number(mapped['maximum']) > MAX_INT32) mapped['format'] = 'int64';
  if (mapped['maximum'] === Number.MAX_SAFE_INTEGER) delete mapped['maximum'];
  const { const: only, anyOf, ...rest } = mapped;
  if (only !== undefined) return withType({ ...rest, enum: [only] });
  if (anyOf === undefined) return withType(mapped);
  return normalizeUnion(anyOf as JsonObject[], rest);
}

function opened(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !(keyword === 'additionalProperties' && value === false) &&
      (schema['title'] !== undefined || !BOUNDS.has(keyword)),
  );
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, within(keyword, value, opened)]),
  );
}

const BOUNDS = new Set(
  'minimum maximum minLength maxLength pattern minItems maxItems uniqueItems'.split(' '),
);

function within(
  keyword: string,
  value: JsonValue,
  map: (schema: JsonObject) => JsonObject,
): JsonValue {
  if (keyword === 'properties') {
    return Object.fromEntries(
      Object.entries(value as Record<string, JsonObject>).map(([name, member]) => [
        name,
        map(member),
      ]),
    );
  }
  if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) return (value as JsonObject[]).map(map);
  return ['items', 'additionalProperties'].includes(keyword) && isSchema(value)
    ? map(value)
    : value;
}

function withType(schema: JsonObject): JsonObject {
  const values = schema['enum'] as JsonValue[] | undefined;
  if (!values || (schema['type'] !== undefined && schema['type'] !== 'number')) return schema;
  const types = [...new Set(values.map(typeOf))];
  return { ...schema, type: types.length === 1 && types[0] !== undefined ? types[0] : types };
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return typeof value === 'number' ? 'integer' : typeof value;
}

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
  // Merging would create another shape than the object itself.
  if (hasMembers(only)) return { ...rest, anyOf: options };
  const { title, description, ...value } = only;
  const about = title === undefined && description !== undefined ? { description } : {};
  return { ...value, ...about, ...rest, type: [type, 'null'] };
}
