/** What is said of each tool, and how a call is answered: a refusal is an answer too, and says what to do. */
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { compileSchema } from '@netd/protocol';
import { AgentError, NetError, type NetErrorCode } from '@netd/sdk';
import { SignerError } from './signer-error.ts';
import type { OutputType, ToolDefinition } from './tool.ts';
import { TOOLS } from './tools.ts';
import { holdsUntrusted, UNTRUSTED_NOTICE } from './untrusted.ts';

interface PreparedTool {
  definition: ToolDefinition;
  violations: ReturnType<typeof compileSchema>;
  described: Tool;
}

const PREPARED: ReadonlyMap<string, PreparedTool> = new Map(
  TOOLS.map((definition) => [
    definition.name,
    {
      definition,
      violations: compileSchema(definition.input, { listAll: true }),
      described: describe(definition),
    },
  ]),
);

/** All tools, in the order of the table. */
export const DESCRIBED_TOOLS: readonly Tool[] = [...PREPARED.values()].map((one) => one.described);

function describe({ name, title, description, input, output, effect }: ToolDefinition): Tool {
  const members = Object.entries(output).map(([member, type]) => [member, typeOf(type)]);
  return {
    name,
    title,
    description,
    inputSchema: JSON.parse(JSON.stringify(input)) as Tool['inputSchema'],
    outputSchema: {
      type: 'object',
      properties: Object.fromEntries(members) as Record<string, object>,
    },
    annotations: {
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'spends',
      idempotentHint: true,
      openWorldHint: true,
    },
  };
}

function typeOf(type: OutputType): object {
  return type === 'any' ? {} : { type };
}

/**
 * The tool of a name.
 * @returns null where there is none
 */
export function findTool(name: string): ToolDefinition | null {
  return PREPARED.get(name)?.definition ?? null;
}

/** @throws SignerError ARGUMENTS_INVALID */
export function requireArguments(name: string, args: unknown): void {
  const errors = PREPARED.get(name)?.violations(args);
  if (!errors) return;
  const what = errors.map(({ path, message }) => `${path || '/'} ${message}`).join('; ');
  throw new SignerError('ARGUMENTS_INVALID', what);
}

export function answer(value: object): CallToolResult {
  // What is undefined has no place in JSON.
  const text = JSON.stringify(value);
  const notice = holdsUntrusted(value) ? [{ type: 'text' as const, text: UNTRUSTED_NOTICE }] : [];
  return {
    content: [...notice, { type: 'text', text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  };
}

/** Where the advice of a node is for whoever sends requests, which a model does not: what it can do instead. */
const OWN_HINTS: Partial<Record<NetErrorCode, string>> = {
  FOLLOWER_TAKES_NO_WRITES:
    'Nothing was done, and no tool can change that. Tell the owner: netd mcp --url, with the address named here, acts; this one only reads.',
  HISTORY_NOT_HELD:
    'Call the tool again later. Or tell the owner: netd mcp --url, with the address named here, has it already.',
};

/** @throws the error itself where it is no refusal: a defect */
export function refusal(error: unknown): CallToolResult {
  if (!isRefusal(error)) throw error;
  const { code, message } = error;
  const hint = error instanceof NetError ? (OWN_HINTS[error.code] ?? error.hint) : null;
  const said = hint !== null && !message.includes(hint) ? { hint } : {};
  const text = JSON.stringify({ error: { code, message, ...said } });
  return { isError: true, content: [{ type: 'text', text }] };
}

function isRefusal(error: unknown): error is Error & { code: string } {
  if (error instanceof SignerError || error instanceof AgentError || error instanceof NetError)
    return true;
  // FormatError, BlobServiceError: named and coded alike.
  return (
    error instanceof Error &&
    typeof (error as { code?: unknown }).code === 'string' &&
    ['FormatError', 'BlobServiceError'].includes(error.name)
  );
}
