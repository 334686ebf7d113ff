/**
 * Times of the blocks that records name. They stand beside the positions and not in them, so that a record still equals
 * the one that a proof covers.
 */
import { Timestamp, type ChainPosition } from '@netd/protocol';
import type { TObject } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';

type TimeAt = (height: number) => string | null;
/** Returns a value with the times of its records. */
type Add = (value: unknown, timeAt: TimeAt) => unknown;
type Schema = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, Schema>>;

const TIMES: Schema = {
  title: 'Times',
  type: 'object',
  additionalProperties: Timestamp,
  description:
    'Times of the blocks that the record names, by member, such as `result.submittedAt` or `verification.votes.0.votedAt`. No hash or proof covers them. A time is left out if the node does not have the block.',
};

const IS_PART = Symbol('part of a record');

/** Returns the schema of a part of a record that a document shows beside it. It has no times, so it equals the proven part. */
export const partOfRecord = <Part extends object>(schema: Part): Part => ({
  ...schema,
  [IS_PART]: true,
});

/** A schema whose records have times; `add` is null if it has no records with positions. */
interface Timed {
  schema: Schema;
  add: Add | null;
}

/** Returns a schema whose records may have `times`, and a function that adds them to a document. */
export function withTimes(schema: TObject): {
  schema: TObject;
  addTimes: (document: object, snapshot: Snapshot) => object;
} {
  const timed = timedSchema(schema as unknown as Schema);
  const { add } = timed;
  const addTimes = (document: object, snapshot: Snapshot): object => {
    if (add === null) return document;
    const known = new Map<number, string | null>();
    return add(document, (height) => {
      let time = known.get(height);
      if (time === undefined) known.set(height, (time = snapshot.timeAt(height)));
      return time;
    }) as object;
  };
  return { schema: timed.schema as unknown as TObject, addTimes };
}

function timedSchema(schema: Schema): Timed {
  if (IS_PART in schema) return { schema, add: null };
  const { properties, items, anyOf } = schema as {
    properties?: Properties;
    items?: Schema;
    anyOf?: readonly Schema[];
  };
  if (properties) return timedObject(schema, properties);
  if (items) {
    const timed = timedSchema(items);
    const { add } = timed;
    if (add === null) return { schema, add };
    return {
      schema: { ...schema, items: timed.schema },
      add: (values, timeAt) => (values as unknown[]).map((value) => add(value, timeAt)),
    };
  }
  const variants = anyOf?.map(timedSchema);
  const [one, ...others] = variants?.flatMap(({ add }) => add ?? []) ?? [];
  if (!variants || !one) return { schema, add: null };
  if (others.length > 0) throw new Error('a union of several records with positions');
  return {
    schema: { ...schema, anyOf: variants.map((variant) => variant.schema) },
    add: (value, timeAt) => (value === null ? null : one(value, timeAt)),
  };
}

function timedObject(schema: Schema, properties: Properties): Timed {
  const isRecord = Object.values(properties).some(isPosition);
  const paths = isRecord ? positionsIn(properties) : [];
  // A named shape has one schema wherever it is.
  const timed = Object.entries(properties)
    .filter(([, property]) => !isRecord || variantsOf(property).some(isNamed))
    .flatMap(([name, property]) => {
      const { schema: changed, add } = timedSchema(property);
      return add === null ? [] : [{ name, changed, add }];
    });
  if (!isRecord && timed.length === 0) return { schema, add: null };
  return {
    schema: {
      ...schema,
      properties: {
        ...properties,
        ...Object.fromEntries(timed.map(({ name, changed }) => [name, changed])),
        ...(isRecord ? { times: TIMES } : {}),
      },
    },
    add: (value, timeAt) => {
      const members = value as Schema;
      // Times of what a record contains stand beside the record's own, so that each member equals the proven one.
      if (isRecord) return { ...members, ...timesOf(members, paths, timeAt) };
      const present = timed.filter(({ name }) => members[name] !== undefined);
      return {
        ...members,
        ...Object.fromEntries(present.map(({ name, add }) => [name, add(members[name], timeAt)])),
      };
    },
  };
}

const variantsOf = (schema: Schema): readonly Schema[] =>
  (schema['anyOf'] as readonly Schema[] | undefined) ?? [schema];

const isNamed = ({ title, properties }: Schema): boolean =>
  title !== undefined && properties !== undefined;

const isPosition = (schema: Schema): boolean =>
  variantsOf(schema).some(({ title }) => title === 'ChainPosition');

/** Stands in a path for each item of a list. */
const EACH = Symbol('each item');
type Path = readonly (string | typeof EACH)[];

/** Returns the paths of the positions of a record, also in its objects and lists. */
function positionsIn(properties: Properties): Path[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    pathsIn(schema).map((path) => [name, ...path]),
  );
}

function pathsIn(schema: Schema): Path[] {
  if (isPosition(schema)) return [[]];
  return variantsOf(schema).flatMap((one): Path[] => {
    const { properties, items } = one as { properties?: Properties; items?: Schema };
    if (items) return pathsIn(items).map((path) => [EACH, ...path]);
    return positionsIn(properties ?? {});
  });
}

function timesOf(record: Schema, paths: readonly Path[], timeAt: TimeAt): Schema {
  const times = paths.flatMap((path) =>
    [...valuesAt(record, path, '')].flatMap(([name, { height }]) => {
      const time = timeAt(height);
      return time === null ? [] : [[name, time] as const];
    }),
  );
  return times.length === 0 ? {} : { times: Object.fromEntries(times) };
}

/** Yields each position at a path, with its name, such as `votes.0.votedAt`. */
function* valuesAt(value: unknown, path: Path, name: string): Generator<[string, ChainPosition]> {
  const [first, ...rest] = path;
  if (value === null || value === undefined) return;
  if (first === undefined) yield [name, value as ChainPosition];
  else if (first === EACH) {
    for (const [at, item] of (value as unknown[]).entries())
      yield* valuesAt(item, rest, `${name}.${at}`);
  } else yield* valuesAt((value as Schema)[first], rest, name === '' ? first : `${name}.${first}`);
}
