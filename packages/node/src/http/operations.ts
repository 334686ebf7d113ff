/** The operations of this server as its OpenAPI description tells them: what the manifest, the docs page and llms.txt list. */
import type { JsonObject } from '@netd/protocol';
import { readDescription } from './description.ts';

export interface DescribedOperation {
  tag: string;
  method: string;
  path: string;
  operationId: string;
  summary: string;
  parameters: { name: string; in: string; required: boolean; schema: JsonObject }[];
  /** The schema of the JSON body, where it takes one. */
  body: JsonObject | null;
  responses: Record<string, JsonObject>;
}

export interface Described {
  tags: { name: string; description: string }[];
  operations: DescribedOperation[];
  components: JsonObject;
}

interface OpenApiOperation {
  tags?: string[];
  operationId?: string;
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; schema?: JsonObject }[];
  requestBody?: { content?: Record<string, { schema?: JsonObject }> };
  responses?: Record<string, JsonObject>;
}

/** What the server describes: in the order of its tags, then by path. */
export function describedOperations(): Described {
  const description = readDescription() as {
    tags?: Described['tags'];
    paths?: Record<string, Record<string, OpenApiOperation>>;
    components?: JsonObject;
  };
  const operations = Object.entries(description.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => read(path, method, operation)),
  );
  const tags = description.tags ?? [];
  return { tags, operations, components: description.components ?? {} };
}

function read(path: string, method: string, operation: OpenApiOperation): DescribedOperation {
  return {
    tag: operation.tags?.[0] ?? '',
    method: method.toUpperCase(),
    path,
    operationId: operation.operationId ?? '',
    summary: operation.summary ?? '',
    parameters: (operation.parameters ?? []).map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      required: parameter.required ?? false,
      schema: parameter.schema ?? {},
    })),
    body: operation.requestBody?.content?.['application/json']?.schema ?? null,
    responses: operation.responses ?? {},
  };
}
