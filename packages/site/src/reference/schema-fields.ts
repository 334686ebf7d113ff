import type { JsonObject } from '@netd/protocol';
import { boundsOf, typeName } from '@netd/server/schema-shape';
import { plain } from '../page.ts';

/** Deeper fields are only in /openapi.json. */
const MAX_DEPTH = 4;

export function fieldList(schema: JsonObject, components: JsonObject = {}): string {
  return lines(schema, components, 0).join('\n');
}

export function fieldLine(
  name: string,
  schema: JsonObject,
  required: boolean,
  components: JsonObject,
): string {
  const known = resolve(schema, components);
  const facts = [nameOfType(known, components), boundsOf(known), required ? '' : 'optional'];
  const description = typeof known['description'] === 'string' ? plain(known['description']) : '';
  return `- \`${name}\` *${plain(facts.filter(Boolean).join(', '))}* ${description}`.trimEnd();
}

/** Lists the members of an object, or of an array's items. */
function lines(schema: JsonObject, components: JsonObject, depth: number): string[] {
  let known = resolve(schema, components);
  for (let inner = objectIn(known); inner !== known; inner = objectIn(known)) {
    known = resolve(inner, components);
  }
  const items = known['items'] as JsonObject | undefined;
  if (items) return lines(items, components, depth);
  const required = new Set(known['required'] as string[] | undefined);
  const properties = (known['properties'] ?? {}) as Record<string, JsonObject>;
  return Object.entries(properties).flatMap(([name, member]) => {
    const line = fieldLine(name, member, required.has(name), components);
    const inner =
      depth + 1 < MAX_DEPTH
        ? lines(objectIn(resolve(member, components)), components, depth + 1)
        : [];
    return [line, ...inner.map((below) => `  ${below}`)];
  });
}

/** Picks the first non-null option, which stands for all. */
function objectIn(schema: JsonObject): JsonObject {
  const options = (schema['anyOf'] ?? schema['oneOf']) as JsonObject[] | undefined;
  return options?.find((option) => option['type'] !== 'null') ?? schema;
}

function nameOfType(schema: JsonObject, components: JsonObject): string {
  const options = schema['anyOf'] as JsonObject[] | undefined;
  if (Array.isArray(schema['type'])) return (schema['type'] as string[]).join(' or ');
  if (options) {
    return options
      .map((option) => nameOfType(resolve(option, components), components))
      .join(' or ');
  }
  const items = schema['items'] as JsonObject | undefined;
  if (items) return `list of ${nameOfType(resolve(items, components), components)}`;
  return schema['type'] === 'object' ? 'object' : typeName(schema);
}

/** Resolves a reference, keeping local descriptions, and merges `allOf`. */
export function resolve(schema: JsonObject, components: JsonObject): JsonObject {
  const { $ref: reference, ...about } = schema;
  if (typeof reference === 'string') {
    const [, , kind = '', name = ''] = reference.split('/');
    const found = (components[kind] as JsonObject | undefined)?.[name] as JsonObject | undefined;
    return { ...resolve(found ?? {}, components), ...about };
  }
  const all = (schema['allOf'] as JsonObject[] | undefined)?.map((it) => resolve(it, components));
  // The first is the base; the others refine its members.
  return all ? { ...all[0], properties: membersOfAll(all) } : schema;
}

function membersOfAll(schemas: readonly JsonObject[]): JsonObject {
  return Object.assign({}, ...schemas.map(({ properties }) => properties ?? {})) as JsonObject;
}
