import { Type, type TSchema } from '@netd/protocol/type';

/** A value that need not be there. It is answered as null then, never left out. */
export function orNull<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
