/**
 * Parts of answers that nothing else refers to stand where they are read: a reference to a name of their place, and that name,
 * are half of the bytes of a small object. What is sent keeps its names, as whoever builds it in a typed language needs them;
 * so does what several answers hold, what may be null, and the options of a choice, of which generators make types.
 */
import type { JsonObject, JsonValue } from '@netd/protocol';

const REFERENCE = '#/components/schemas/';

/**
 * The schemas without those that have moved into the one place that refers to them.
 * @param schemas by name; changed
 * @param parts the names that may go
 * @param operations whatever else refers to schemas
 */
export function whereRead(
  schemas: JsonObject,
  parts: ReadonlySet<string>,
  operations: JsonValue | undefined,
): JsonObject {
  const uses = new Map<string, number>();
  const count = (value: JsonValue | undefined): void => {
    if (value === null || typeof value !== 'object') return;
    const name = Array.isArray(value) ? null : nameIn(value);
    if (name !== null) uses.set(name, (uses.get(name) ?? 0) + 1);
    for (const inner of Object.values(value)) count(inner);
  };
  count(schemas);
  count(operations);
  const movable = (value: JsonValue | undefined): string | null => {
    const name = nameIn(value);
    if (name === null || !parts.has(name) || uses.get(name) !== 1) return null;
    return (schemas[name] as JsonObject)['type'] === 'object' ? name : null;
  };
  const moved = new Set<string>();
  const place = (schema: JsonValue | undefined): JsonValue | undefined => {
    const name = movable(schema);
    if (name === null) return schema;
    moved.add(name);
    const { $ref: _, ...about } = schema as JsonObject;
    return { ...(schemas[name] as JsonObject), ...about };
  };
  const fill = (schema: JsonValue | undefined): void => {
    if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return;
    const members = (schema['properties'] ?? {}) as JsonObject;
    for (const [holder, name] of [
      ...Object.keys(members).map((member) => [members, member] as const),
      ...['items', 'additionalProperties'].map((keyword) => [schema, keyword] as const),
    ]) {
      const placed = place(holder[name]);
      if (placed === undefined) continue;
      holder[name] = placed;
      fill(placed);
    }
    for (const own of (schema['allOf'] ?? []) as JsonObject[]) fill(own);
  };
  for (const [name, schema] of Object.entries(schemas)) if (!moved.has(name)) fill(schema);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => !moved.has(name)));
}

function nameIn(value: JsonValue | undefined): string | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const { $ref } = value;
  return typeof $ref === 'string' && $ref.startsWith(REFERENCE)
    ? $ref.slice(REFERENCE.length)
    : null;
}
