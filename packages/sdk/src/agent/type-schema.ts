/**
 * A type of zod 4.2 or newer, of arktype 2.1.28 or newer, or of valibot's `toStandardJsonSchema`: the interface
 * of standardschema.dev/json-schema.
 */
export interface TypeSchema<Input = unknown, Output = Input> {
  /** The type as Standard Schema describes it, with its JSON Schema. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Parsed<Output> | Promise<Parsed<Output>>;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
      readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type Parsed<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
