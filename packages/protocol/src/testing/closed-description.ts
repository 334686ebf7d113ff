interface Schemas {
  components: { schemas: Record<string, Record<string, unknown>> };
}

/**
 * An OpenAPI description as strict as the node is: answers hold no member that is not described. It leaves that to be said,
 * so that clients do not refuse what is added later.
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
    // A base is closed where it is used.
    if (!extended.has(name)) schema['unevaluatedProperties'] = false;
  }
  return copy;
}
