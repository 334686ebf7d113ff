import type { TypeSchema } from '../type-schema.ts';

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Returns a type as the libraries make them. Its JSON Schema lacks what `refine` checks of the member `words`. */
export function typeOf<Value>(
  schema: object,
  refine: (value: Value) => string | null = () => null,
): TypeSchema<Value> {
  const jsonSchema = (): Record<string, unknown> => ({ $schema: DIALECT, ...schema });
  return {
    '~standard': {
      version: 1,
      vendor: 'test',
      jsonSchema: { input: jsonSchema, output: jsonSchema },
      validate: (value) => {
        const message = refine(value as Value);
        return message === null
          ? { value: value as Value }
          : { issues: [{ path: ['words'], message }] };
      },
    },
  };
}
