/** What MCP says of a tool, and what it answers when called. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/server';
import { compileSchema, type JsonObject } from '@netd/protocol';
import Type, { type TObject } from 'typebox';
import { Refusal } from '../chain/refusal.ts';
import type { HttpContext } from '../http/context.ts';
import { makeProblem } from '../http/problem.ts';
import { TOOLS, type ToolDefinition, type ToolName } from './tools.ts';

interface PreparedTool {
  definition: ToolDefinition;
  described: Tool;
  violations: ReturnType<typeof compileSchema>;
}

const PREPARED: ReadonlyMap<string, PreparedTool> = new Map(
  TOOLS.map((definition: ToolDefinition) => [definition.name, prepare(definition)]),
);

/** All tools, in the order of the table. */
export const DESCRIBED_TOOLS: readonly Tool[] = [...PREPARED.values()].map(
  ({ described }) => described,
);

function prepare(definition: ToolDefinition): PreparedTool {
  const { name, title, description, document } = definition;
  const input = argumentsOf(definition);
  return {
    definition,
    violations: compileSchema(input),
    described: {
      name,
      title,
      description,
      inputSchema: plain(input),
      outputSchema: plain(document.schema),
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
  };
}

function argumentsOf({ document, fixed = {} }: ToolDefinition): TObject {
  if (!('render' in document)) return Type.Object({}, { additionalProperties: false });
  const all = { ...document.path.properties, ...document.query.properties };
  const open = Object.entries(all).filter(([name]) => !Object.hasOwn(fixed, name));
  return Type.Object(Object.fromEntries(open), { additionalProperties: false });
}

/** Schema objects carry members that only matter to their library. */
function plain(schema: TObject): Tool['inputSchema'] {
  return JSON.parse(JSON.stringify(schema)) as Tool['inputSchema'];
}

/**
 * The document as structured content and as text; a refusal as a result that says so, with the problem HTTP answers with.
 * @throws ProtocolError -32602 where there is no such tool
 */
export function callTool(
  context: HttpContext,
  name: string,
  given: Record<string, unknown>,
  requestId: string,
): CallToolResult {
  const tool = PREPARED.get(name);
  if (!tool) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool of this name; tools/list names all ${PREPARED.size}.`,
    );
  }
  try {
    const errors = tool.violations(given);
    if (errors) throw new Refusal('PARAMETER_INVALID', { errors });
    const text = textOf(context, tool.definition, given);
    return {
      content: [{ type: 'text', text }],
      structuredContent: JSON.parse(text) as JsonObject,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const problem = makeProblem(error.code, requestId, error.data);
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(problem) }] };
  }
}

/** The document of a tool that needs no arguments. */
export function documentOf(context: HttpContext, name: ToolName): JsonObject {
  const definition: ToolDefinition | undefined = TOOLS.find((tool) => tool.name === name);
  if (!definition) throw new Error(`no tool ${name}`);
  return JSON.parse(textOf(context, definition, {})) as JsonObject;
}

function textOf(
  context: HttpContext,
  { document, fixed }: ToolDefinition,
  given: Record<string, unknown>,
): string {
  return 'render' in document
    ? context.rendered(document, { ...given, ...fixed })
    : JSON.stringify(document.tell(context));
}
