/**
 * Writes the types of the SDK's reads out of the OpenAPI description: for every path with a GET its parameters and its
 * document. A named schema that the protocol package has a type for is that type; others are written out.
 */
import * as protocol from '@netd/protocol';

/** What the description uses of JSON Schema. Another keyword that shapes a value would be a mistake here. */
interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
}

interface Operation {
  summary: string;
  parameters?: {
    name: string;
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface Description {
  paths: Record<string, { get?: Operation }>;
  components: { schemas: Record<string, Schema> };
}

const HEAD = `/** Generated from the OpenAPI description by \`npm run contract\`; not edited by hand. Types only. */`;
const SCHEMA_PREFIX = '#/components/schemas/';

/** @returns TypeScript, to be formatted */
export function readTypes({ paths, components }: Description): string {
  const imported = new Set<string>();
  const declared = new Map<string, string>();
  const named = (name: string): string => {
    if (Object.hasOwn(protocol, name)) imported.add(name);
    else if (!declared.has(name)) {
      declared.set(name, '');
      declared.set(name, typeOf(components.schemas[name] ?? fail(`${name} is not described`)));
    }
    return name;
  };

  const typeOf = (schema: Schema): string => {
    if (schema.$ref !== undefined) return named(schema.$ref.slice(SCHEMA_PREFIX.length));
    if (Object.hasOwn(schema, 'const')) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
    switch (schema.type) {
      case 'object':
        return objectOf(schema);
      case 'array':
        return `(${schema.items ? typeOf(schema.items) : 'unknown'})[]`;
      case 'integer':
        return 'number';
      case 'string':
      case 'boolean':
      case 'null':
        return schema.type;
      case undefined:
        return 'unknown';
      default:
        return fail(`a schema of the type ${schema.type} has no TypeScript type here`);
    }
  };

  const objectOf = ({ properties = {}, required = [], additionalProperties }: Schema): string => {
    const members = Object.entries(properties).map(([name, schema]) =>
      member(name, typeOf(schema), required.includes(name), schema.description),
    );
    if (members.length > 0) return `{ ${members.join('\n')} }`;
    if (typeof additionalProperties === 'object') {
      return `Record<string, ${typeOf(additionalProperties)}>`;
    }
    imported.add('JsonObject');
    return 'JsonObject';
  };

  const parametersOf = (path: string, { parameters = [] }: Operation): string => {
    const names = parameters.map(({ name }) => name);
    if (new Set(names).size !== names.length) fail(`${path} has two parameters of one name`);
    if (names.length === 0) return 'Record<string, never>';
    const members = parameters.map(({ name, required = false, description, schema }) =>
      member(name, typeOf(schema), required, description),
    );
    return `{ ${members.join('\n')} }`;
  };

  const documents: string[] = [];
  const texts: string[] = [];
  for (const [path, { get }] of Object.entries(paths)) {
    if (!get) continue;
    const content = get.responses['200']?.content ?? fail(`${path} answers nothing`);
    const json = content['application/json'];
    if (!json) {
      texts.push(JSON.stringify(path));
      continue;
    }
    documents.push(
      `/** ${get.summary} */\n${JSON.stringify(path)}: {
        parameters: ${parametersOf(path, get)};
        document: ${typeOf(json.schema)};
      };`,
    );
  }
  return [
    HEAD,
    `import type { ${[...imported].toSorted().join(', ')} } from '@netd/protocol';`,
    ...[...declared].map(([name, type]) => `export interface ${name} ${type}`),
    `/** Every path that answers with a document: what it takes, in the path and in the query, and what it answers. */
    export interface Reads { ${documents.join('\n')} }`,
    `/** Every path that answers with a text. */\nexport type TextPath = ${texts.join(' | ')};`,
  ].join('\n\n');
}

function member(name: string, type: string, required: boolean, description?: string): string {
  const comment =
    description === undefined ? '' : `/** ${description.replaceAll('*/', '*\\/')} */\n`;
  // An absent member may be passed as undefined: callers then need no conditional spread.
  return `${comment}${JSON.stringify(name)}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'};`;
}

function fail(reason: string): never {
  throw new Error(reason);
}
