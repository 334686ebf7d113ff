import { ERROR_TABLE, type ErrorCode, type JsonObject, type Violation } from '@netd/protocol';
import type { ApiError } from '@netd/engine';

/** This is a type, because TypeScript does not accept an interface as a JSON object. */
export type ToolCall = { tool: string; arguments: JsonObject };

export interface Refusal {
  code: ErrorCode;
  message: string;
  arguments: { name: string; problem: string }[];
  next: ToolCall[];
}

interface FailedCall {
  tool: string;
  takes: readonly string[];
  given: Record<string, unknown>;
}

const IDS: Readonly<Record<string, { of: string; list: string }>> = {
  accountId: { of: 'account', list: 'net_list_agent_capabilities' },
  agentId: { of: 'agent', list: 'net_list_agent_capabilities' },
  orderId: { of: 'work order', list: 'net_list_open_work' },
  tokenId: { of: 'token', list: 'net_list_tokens' },
};

const MISSING: Partial<Record<ErrorCode, string>> = {
  ACCOUNT_NOT_FOUND: 'accountId',
  AGENT_NOT_FOUND: 'agentId',
  WORK_ORDER_NOT_FOUND: 'orderId',
  TOKEN_NOT_FOUND: 'tokenId',
};

export function refusalOf({ code, data }: ApiError, { tool, takes, given }: FailedCall): Refusal {
  const missing = MISSING[code];
  if (missing !== undefined) {
    const { of = '', list = '' } = IDS[missing] ?? {};
    return {
      code,
      message: `No ${of} has this id. Ids are exact, upper and lower case too: take one from an answer, as of ${list}.`,
      arguments: [{ name: missing, problem: `names no ${of}` }],
      next: [{ tool: list, arguments: {} }],
    };
  }
  if (code === 'CURSOR_INVALID') {
    const { cursor: _, ...others } = given;
    return {
      code,
      message: `This cursor does not belong to ${tool} with these arguments. Pass nextCursor of the answer before unchanged and keep all other arguments but limit, or leave cursor out to begin anew.`,
      arguments: [{ name: 'cursor', problem: 'was not given out for this call' }],
      next: [{ tool, arguments: others as JsonObject }],
    };
  }
  if (code === 'PARAMETER_INVALID') {
    const faults = (data.errors ?? []).map(argumentAtFault);
    const lists = faults.flatMap(({ name }) => IDS[name]?.list ?? []);
    return {
      code,
      message: `Correct the arguments and call ${tool} again. It takes ${takes.join(', ')}.`,
      arguments: faults,
      next: [...new Set(lists)].map((list) => ({ tool: list, arguments: {} })),
    };
  }
  const wait = data.retryAfter === undefined ? '' : ` in ${data.retryAfter} s`;
  if (code === 'HISTORY_NOT_HELD') {
    return {
      code,
      message: `${ERROR_TABLE[code].title}. ${data.message}. Call ${tool} there, at /mcp of that address, or here again${wait}.`,
      arguments: [],
      next: [],
    };
  }
  const message = `${ERROR_TABLE[code].title}. Call ${tool} again${wait}.`;
  return { code, message, arguments: [], next: [] };
}

function argumentAtFault({ path, message }: Violation): Refusal['arguments'][number] {
  const [name = ''] = path
    .replace(/^\/(query|path)\//, '/')
    .slice(1)
    .split('/');
  return { name, problem: message };
}

const MAX_SHOWN_NAME = 64;

export function unknownTool(name: string, known: readonly string[]): string {
  const asked = new Set(name.toLowerCase().split(/[^a-z]+/));
  const alike = (tool: string): number =>
    tool.split('_').filter((word) => word !== 'net' && asked.has(word)).length;
  const best = known
    .filter((tool) => alike(tool) > 0)
    .toSorted((a, b) => alike(b) - alike(a))
    .slice(0, 3);
  const hint = best.length > 0 ? `Perhaps ${best.join(', ')}?` : 'Begin with net_network_status.';
  const shown = JSON.stringify(name.slice(0, MAX_SHOWN_NAME));
  return `There is no tool ${shown}. ${hint} tools/list names all ${known.length}.`;
}
