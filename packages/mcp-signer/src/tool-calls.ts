/** Describes the tools, checks their arguments, and turns errors into results. */
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { CanonicalJsonError, compileSchema } from '@netd/protocol';
import { checkedAnswer } from './checked-answer.ts';
import { refusalOf } from './refusal.ts';
import { SignerError } from './signer-error.ts';
import type { OutputType, ToolDefinition } from './tool.ts';
import { TOOLS } from './tools.ts';
import { textsForModel } from '@netd/protocol/untrusted';

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

export const DESCRIBED_TOOLS: readonly Tool[] = [...PREPARED.values()].map((one) => one.described);

export const DESCRIBED_SIGNER_TOOLS: readonly (Tool &
  Pick<ToolDefinition, 'effect'> & { needs: readonly string[] })[] = [...PREPARED.values()].map(
  ({ definition: { effect, needs = [] }, described }) => ({ ...described, effect, needs }),
);

export function toolsFor(actions: ReadonlySet<string> | null): Tool[] {
  return [...PREPARED.values()]
    .filter(({ definition: { needs = [] } }) => needs.every((one) => actions?.has(one) ?? true))
    .map(({ described }) => described);
}

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

/** Permits an object in place of a string or integer, because untrusted values are marked by an object. */
function typeOf(type: OutputType): object {
  if (type === 'any') return {};
  return { type: type === 'string' || type === 'integer' ? [type, 'object'] : type };
}

export function findTool(name: string): ToolDefinition | null {
  return PREPARED.get(name)?.definition ?? null;
}

export function requireArguments(name: string, args: unknown): void {
  const errors = PREPARED.get(name)?.violations(args);
  if (!errors) return;
  const what = errors.map(({ path, message }) => `${path || '/'} ${message}`).join('; ');
  throw new SignerError('ARGUMENTS_INVALID', what);
}

export function answer(value: object, args: object): CallToolResult {
  const structuredContent = checkedAnswer(value, args);
  return { content: contentOf(structuredContent), structuredContent };
}

/** Errors of code that expects documents as the contract describes them. */
const UNREADABLE = [TypeError, RangeError, SyntaxError, CanonicalJsonError];

/**
 * Reports malformed documents as NODE_CONFUSED, because arguments were checked before.
 * @param note writes a line for the owner
 * @throws SignerError NODE_CONFUSED
 */
export async function readable<Result>(
  note: (line: string) => void,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!UNREADABLE.some((kind) => error instanceof kind)) throw error;
    // A defect of ours causes the same errors, so log the stack.
    note((error as Error).stack ?? String(error));
    throw new SignerError('NODE_CONFUSED', '', { cause: error });
  }
}

export function refusal(error: unknown): CallToolResult {
  const told = refusalOf(error);
  if (told === null) throw error;
  return { isError: true, content: contentOf({ error: told }) };
}

const contentOf = (value: object): CallToolResult['content'] =>
  textsForModel(value).map((text) => ({ type: 'text', text }));
