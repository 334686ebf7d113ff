interface Schemas {
  components: { schemas: Record<string, Record<string, unknown>> };
}

/**
 * Closes an OpenAPI description, so that undescribed members fail. The published one is open, so that clients
 * accept additions.
 */
export function closed<Description extends object>(open: Description): Description {
  const copy = structuredClone(open);
  const { schemas } = (copy as unknown as Schemas).components;
  const extended = new Set(
    Object.values(schemas)
      .flatMap(({ allOf }) => (allOf ?? []) as { $ref?: string }[])
      .map(({ $ref }) => $ref?.split('/').at(-1)),
  );
  for (const [name, schema] of Object.entries(schemas)) {
    const object = schema['properties'] !== undefined || schema['allOf'] !== undefined;
    if (!object || schema['additionalProperties'] !== undefined) continue;
    // A base is closed by its users.
    if (!extended.has(name)) schema['unevaluatedProperties'] = false;
  }
  return copy;
}
