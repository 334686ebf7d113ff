import type { JsonObject } from '@netd/protocol';
import { readDescription } from './description.ts';

export interface DescribedOperation {
  tag: string;
  method: string;
  path: string;
  operationId: string;
  summary: string;
  parameters: { name: string; in: string; required: boolean; schema: JsonObject }[];
  body: JsonObject | null;
  responses: Record<string, JsonObject>;
}

export interface Described {
  tags: { name: string; description: string }[];
  operations: DescribedOperation[];
  components: JsonObject;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: JsonObject;
}

interface OpenApiOperation {
  tags?: string[];
  operationId?: string;
  summary?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content?: Record<string, { schema?: JsonObject }> };
  responses?: Record<string, JsonObject>;
}

export function describedOperations(): Described {
  const description = readDescription() as {
    tags?: Described['tags'];
    paths?: Record<string, Record<string, OpenApiOperation>>;
    components?: JsonObject;
  };
  const { tags = [], components = {} } = description;
  const shared = (components['parameters'] ?? {}) as unknown as Record<string, Parameter>;
  const operations = Object.entries(description.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => read(path, method, operation, shared)),
  );
  return { tags, operations, components };
}

function read(
  path: string,
  method: string,
  operation: OpenApiOperation,
  shared: Readonly<Record<string, Parameter>>,
): DescribedOperation {
  const parameters = (operation.parameters ?? []).flatMap((parameter) =>
    '$ref' in parameter ? (shared[parameter.$ref.split('/').at(-1) ?? ''] ?? []) : parameter,
  );
  return {
    tag: operation.tags?.[0] ?? '',
    method: method.toUpperCase(),
    path,
    operationId: operation.operationId ?? '',
    summary: operation.summary ?? '',
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      required: parameter.required ?? false,
      schema: parameter.schema ?? {},
    })),
    body: operation.requestBody?.content?.['application/json']?.schema ?? null,
    responses: operation.responses ?? {},
  };
}
