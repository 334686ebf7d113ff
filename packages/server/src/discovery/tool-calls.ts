import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { compileSchema, type JsonObject, type JsonValue, type Violation } from '@netd/protocol';
import type { TSchema } from '@netd/protocol/type';
import { textsForModel } from '@netd/protocol/untrusted';
import { ApiError } from '@netd/engine';
import { canonicalUrl } from '../http/canonical-url.ts';
import type { HttpContext } from '../http/context.ts';
import { markDocument, markGiven } from './marked.ts';
import {
  DESCRIBED_PREPARE,
  PREPARE_INTENT,
  PREPARE_TAKES,
  prepareIntent,
  violationsOfPrepare,
} from './prepare-intent.ts';
import { partsOf, select } from './selection.ts';
import { argumentsOf, DEFAULT_ROWS, describeArguments } from './tool-arguments.ts';
import type { ToolDefinition } from './tool-definition.ts';
import { refusalOf, unknownTool, type Refusal, type ToolCall } from './tool-refusals.ts';
import { TOOLS, type ToolName } from './tools.ts';

type Arguments = Record<string, unknown>;

/** About 1,500 tokens, used if the caller sets no limit. */
const MOST_CHARACTERS = 6_000;

interface PreparedTool {
  definition: ToolDefinition;
  takes: readonly string[];
  described: Tool;
  violations: ReturnType<typeof compileSchema>;
}

export const DATA_OF_OTHERS =
  'Data of others is marked in the text, and bare in structuredContent.';

const PREPARED: ReadonlyMap<string, PreparedTool> = new Map(
  TOOLS.map((definition) => [definition.name, prepare(definition)]),
);

export const DESCRIBED_TOOLS: readonly Tool[] = [
  ...[...PREPARED.values()].map(({ described }) => described),
  DESCRIBED_PREPARE,
];

export const DOCUMENT_ROUTES: Readonly<Record<string, string>> = Object.fromEntries(
  TOOLS.map(({ name, document }) => [name, document.route]),
);

function prepare(definition: ToolDefinition): PreparedTool {
  const { name, title, description } = definition;
  const input = argumentsOf(definition);
  return {
    definition,
    takes: Object.keys(input.properties),
    violations: compileSchema(input, { listAll: true }),
    described: {
      name,
      title,
      description: `${description} ${DATA_OF_OTHERS}`,
      inputSchema: describeArguments(input),
      outputSchema: describeAnswer(definition),
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
  };
}

function describeAnswer({ document, selection }: ToolDefinition): Tool['outputSchema'] {
  const properties = partsOf(selection).map(([name, part]) => {
    const { type } = document.schema.properties[name] as TSchema & { type?: string };
    // The selection turns an amount into an object, so the document's type does not apply.
    return [name, type === undefined || part === 'amount' ? {} : { type }];
  });
  return { type: 'object', properties: Object.fromEntries(properties) as Record<string, object> };
}

export class UnknownTool extends Error {
  override name = 'UnknownTool';
  readonly tools: readonly string[];

  constructor(name: string, tools: readonly string[]) {
    super(unknownTool(name, tools));
    this.tools = tools;
  }
}

/**
 * Returns refusals as results too.
 * @throws UnknownTool
 */
export async function callTool(
  context: HttpContext,
  name: string,
  given: Arguments,
): Promise<CallToolResult> {
  if (name === PREPARE_INTENT) return callPrepare(context, given);
  const tool = PREPARED.get(name);
  if (!tool) throw new UnknownTool(name, [...PREPARED.keys(), PREPARE_INTENT]);
  try {
    const errors = tool.violations(given) ?? brokenTexts(given);
    if (errors) throw new ApiError('PARAMETER_INVALID', { errors });
    const { document, data } = await read(context, tool.definition, given);
    const next = nextCalls(tool.definition, document, given);
    return {
      content: contentOf({ ...markData(tool.definition, data, given), next: next.map(markCall) }),
      structuredContent: { ...data, next },
    };
  } catch (error) {
    return refused(context, error, { tool: name, takes: tool.takes, given });
  }
}

function callPrepare(context: HttpContext, given: Arguments): CallToolResult {
  try {
    const errors = violationsOfPrepare(given);
    if (errors) throw new ApiError('PARAMETER_INVALID', { errors });
    return prepareIntent(context, given as unknown as Parameters<typeof prepareIntent>[1]);
  } catch (error) {
    return refused(context, error, { tool: PREPARE_INTENT, takes: PREPARE_TAKES, given });
  }
}

function refused(
  context: HttpContext,
  error: unknown,
  call: { tool: string; takes: readonly string[]; given: Arguments },
): CallToolResult {
  if (!(error instanceof ApiError)) throw error;
  context.node.metrics.countRefusal(error.code);
  const refusal = refusalOf(error, call);
  return { isError: true, content: contentOf(markRefusal(refusal, call.takes)) };
}

const contentOf = (value: object): CallToolResult['content'] =>
  textsForModel(value).map((text) => ({ type: 'text', text }));

const markCall = (call: ToolCall): JsonObject => ({
  ...call,
  arguments: markGiven(call.arguments) as JsonObject,
});

function markRefusal(refusal: Refusal, takes: readonly string[]): object {
  return {
    ...refusal,
    arguments: refusal.arguments.map(({ name, problem }) =>
      name === '' || takes.includes(name)
        ? { name, problem }
        : { says: markGiven({ name }), problem },
    ),
    next: refusal.next.map(markCall),
  };
}

function markData(
  { document, own = [] }: ToolDefinition,
  { source, omitted, ...selected }: JsonObject,
  given: Arguments,
): JsonObject {
  const { path, ...facts } = source as JsonObject;
  const { limit: _, full: __, ...named } = given;
  const isOwn = !('untrusted' in markGiven(named as JsonObject));
  return {
    ...markDocument(selected, document.schema, own),
    ...(omitted === undefined ? {} : { omitted }),
    source: { ...facts, ...(isOwn ? { path } : { says: markGiven({ path: path as string }) }) },
  } as JsonObject;
}

/** Reports lone surrogates, which JSON permits, but URLs and documents don't. */
function brokenTexts(given: Arguments): Violation[] | null {
  const broken = Object.entries(given).flatMap(([name, value]) =>
    typeof value === 'string' && !value.isWellFormed()
      ? [{ path: `/${name}`, message: 'holds a lone surrogate' }]
      : [],
  );
  return broken.length > 0 ? broken : null;
}

/** Returns marked data without `next`, for readers who may have no tools. */
export async function dataOf(
  context: HttpContext,
  name: ToolName,
  given: Arguments = {},
): Promise<JsonObject> {
  const definition = TOOLS.find((tool) => tool.name === name);
  if (!definition) throw new Error(`no tool ${name}`);
  return markData(definition, (await read(context, definition, given)).data, given);
}

interface Answered {
  document: JsonObject;
  data: JsonObject;
}

/**
 * Removes rows until about 1,500 tokens are left, unless the caller sets a limit. The cursor continues with
 * the removed ones.
 */
async function read(
  context: HttpContext,
  tool: ToolDefinition,
  given: Arguments,
): Promise<Answered> {
  let answered = await readRows(context, tool, given);
  const isChosen = given['limit'] !== undefined || given['full'] === true;
  if (isChosen || !Object.hasOwn(argumentsOf(tool).properties, 'limit')) return answered;
  for (let limit = DEFAULT_ROWS; limit > 1;) {
    const { length } = JSON.stringify(answered.data);
    if (length <= MOST_CHARACTERS) break;
    limit = Math.max(1, Math.min(limit - 1, Math.floor((limit * MOST_CHARACTERS) / length)));
    answered = await readRows(context, tool, { ...given, limit });
  }
  return answered;
}

async function readRows(
  context: HttpContext,
  tool: ToolDefinition,
  given: Arguments,
): Promise<Answered> {
  const {
    limit = DEFAULT_ROWS,
    full = false,
    ...others
  } = given as {
    limit?: number;
    full?: boolean;
  };
  const { document, path } = await readDocument(context, tool, { ...others, limit });
  const { selected, omitted } = full
    ? { selected: inOrder(document, tool), omitted: {} }
    : select(document, tool.selection, limit);
  const { schema, chainId, height } = document as Record<string, JsonValue>;
  return {
    document,
    data: {
      ...selected,
      ...(Object.keys(omitted).length > 0 ? { omitted } : {}),
      source: { schema, chainId, height, path } as JsonObject,
    },
  };
}

async function readDocument(
  context: HttpContext,
  { document, fixed }: ToolDefinition,
  { limit, ...given }: Arguments,
): Promise<{ document: JsonObject; path: string }> {
  if (!('render' in document)) {
    return { document: document.renderLocal(context) as JsonObject, path: document.route };
  }
  const isPaged = Object.hasOwn(document.query.properties, 'limit');
  const parameters = { ...given, ...fixed, ...(isPaged ? { limit } : {}) };
  return {
    document: JSON.parse(await context.render(document, parameters)) as JsonObject,
    path: canonicalUrl(document, parameters),
  };
}

function inOrder(document: JsonObject, { selection }: ToolDefinition): JsonObject {
  const first = partsOf(selection).flatMap(([name]) =>
    Object.hasOwn(document, name) ? [[name, document[name]]] : [],
  );
  return { ...(Object.fromEntries(first) as JsonObject), ...document };
}

function nextCalls(tool: ToolDefinition, document: JsonObject, given: Arguments): ToolCall[] {
  const { nextCursor: cursor } = document;
  const page =
    typeof cursor === 'string' ? [{ tool: tool.name, arguments: { ...given, cursor } }] : [];
  return [...page, ...tool.next.flatMap((next) => nextCall(next, document))];
}

function nextCall(next: string, document: JsonObject): ToolCall[] {
  const [tool = '', pointer] = next.split(' ');
  if (pointer === undefined) return [{ tool, arguments: {} }];
  const value = valueAt(document, pointer);
  if (value === undefined || value === null) return [];
  const [name = ''] = PREPARED.get(tool)?.takes ?? [];
  return [{ tool, arguments: { [name]: value } }];
}

function valueAt(document: JsonObject, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const step of pointer.slice(1).split('/')) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as JsonObject)[step];
  }
  return value;
}
