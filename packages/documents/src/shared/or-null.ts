import { Type, type TSchema } from '@netd/protocol/type';

/** Makes a value nullable. Optional values are null, never absent. */
export function orNull<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
