/**
 * Writes the types of the SDK's reads out of the OpenAPI description. It stands here rather than in the scripts of the
 * repository because openapi-typescript needs the compiler API of TypeScript 5, which this package alone installs.
 */
import openapiTypescript, {
  astToString,
  type OpenAPI3,
  type PathItemObject,
} from 'openapi-typescript';
import ts from 'typescript';

const HEAD =
  '/** Generated from contract/openapi.json by `npm run build`; neither edited nor committed. Types only. */';
const JSON_OBJECT = ts.factory.createTypeReferenceNode('JsonObject');

export type Description = OpenAPI3;

/**
 * The types of every GET and its success, and of every named schema. Writes and refusals are left out: the client takes
 * payloads as they are signed, and every refusal is a `Problem` of the protocol.
 * @returns TypeScript, to be formatted
 */
export async function openapiTypes(description: Description): Promise<string> {
  const { components, ...rest } = description;
  const nodes = await openapiTypescript(
    {
      ...rest,
      paths: Object.fromEntries(
        Object.entries(description.paths ?? {}).flatMap(([path, item]) => {
          const read = successOf(item);
          return read ? [[path, read]] : [];
        }),
      ),
      components: {
        schemas: components?.schemas ?? {},
        parameters: components?.parameters ?? {},
      },
    },
    {
      alphabetize: true,
      inject: `import type { JsonObject } from '@netd/protocol';`,
      // An object whose members are not described is still JSON, and can be hashed and signed as such.
      transform: (schema) =>
        'type' in schema &&
        schema.type === 'object' &&
        Object.keys(schema.properties ?? {}).length === 0 &&
        (schema.additionalProperties === undefined || schema.additionalProperties === true)
          ? JSON_OBJECT
          : undefined,
    },
  );
  return `${HEAD}\n${astToString(nodes)}`;
}

/** The GET of a path with nothing but its success. */
function successOf({ get }: PathItemObject): PathItemObject | undefined {
  if (!get || '$ref' in get) return undefined;
  const success = get.responses?.['200'];
  return success && { get: { ...get, responses: { '200': success } } };
}
