/**
 * Generates the SDK's read types from OpenAPI. It is here because openapi-typescript needs the TypeScript 5
 * compiler API, which only this package installs.
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
/** Marks the type of events that this version does not know. A plain string would end the narrowing by `type`. */
export const UNLISTED = { type: 'string', format: 'unlisted' };
const UNLISTED_TYPE = ts.factory.createTypeReferenceNode('UnlistedEventType');

export type Description = OpenAPI3;

/**
 * Types every GET's success and every named schema. Leaves out writes, which take signed payloads, and
 * refusals, which are all `Problem`.
 * @returns TypeScript, unformatted
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
      inject: `import type { JsonObject } from '@netd/protocol';

/** A string at run time. It equals no literal, so that comparisons narrow an event to its type. */
export declare enum UnlistedEventType { Any = '' }`,
      transform: (schema) => {
        if (schema.format === UNLISTED.format) return UNLISTED_TYPE;
        // An object without described members is still JSON, and can be signed.
        return 'type' in schema &&
          schema.type === 'object' &&
          Object.keys(schema.properties ?? {}).length === 0 &&
          (schema.additionalProperties === undefined || schema.additionalProperties === true)
          ? JSON_OBJECT
          : undefined;
      },
    },
  );
  const types = astToString(nodes)
    .replace(
      'export interface paths',
      '/** Parameters and answers of each read, by its path. */\n$&',
    )
    .replace('export interface components', '/** Documents and their parts, by name. */\n$&');
  return `${HEAD}\n${types}`;
}

/** The GET of a path, with its success only. */
function successOf({ get }: PathItemObject): PathItemObject | undefined {
  if (!get || '$ref' in get) return undefined;
  const success = get.responses?.['200'];
  return success && { get: { ...get, responses: { '200': success } } };
}
