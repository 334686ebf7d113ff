/**
 * The types of TypeBox, with builders of our own: loading TypeBox's 373 modules takes a third of a start.
 * type.test.ts compares the two.
 */
import type { TProperties, TSchema, Type as TypeBox } from 'typebox';

export type { Static, TObject, TProperties, TSchema } from 'typebox';

type Schema = Readonly<Record<string, unknown>>;

/** Marks an optional member. Not enumerable, because it is no schema keyword. */
const OPTIONAL = '~optional';

const ofType =
  (type: string) =>
  (options?: Schema): Schema => ({ type, ...options });

const builders = {
  Array: (items: Schema, options?: Schema): Schema => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Enum: (values: readonly unknown[], options?: Schema): Schema => ({ enum: values, ...options }),
  Integer: ofType('integer'),
  Literal: (value: unknown, options?: Schema): Schema => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: ofType('null'),
  Number: ofType('number'),
  Object: (properties: Readonly<Record<string, Schema>>, options?: Schema): Schema => {
    const required = Object.keys(properties).filter(
      (name) => !Object.hasOwn(properties[name] ?? {}, OPTIONAL),
    );
    return {
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      properties,
      ...options,
    };
  },
  Optional: (schema: Schema): Schema =>
    Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  String: ofType('string'),
  Union: (anyOf: readonly Schema[], options?: Schema): Schema => ({ anyOf, ...options }),
  Unknown: (options?: Schema): Schema => ({ ...options }),
  Unsafe: (schema: Schema): Schema => schema,
};

export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>;

export const exactly = <Properties extends TProperties>(properties: Properties, options?: Schema) =>
  Type.Object(properties, { ...options, additionalProperties: false });

export const orNull = <Value extends TSchema>(schema: Value, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
