import { ERROR_TABLE, type ErrorCode } from '@netd/protocol';
import type { FastifyReply } from 'fastify';
import type { ErrorFormat } from '../http/error-format.ts';
import { MAX_ROWS } from './tool-arguments.ts';
import { refusalText, type OwnAdvice } from './refusal-text.ts';

export const MCP_PATH = '/mcp';

/** Codes of JSON-RPC 2.0 (section 5.1). `transport` is this server's own. */
export const RPC_ERROR = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  transport: -32_000,
} as const;

export const CODES: Partial<Record<ErrorCode, number>> = {
  REQUEST_INVALID: RPC_ERROR.invalidRequest,
  INTERNAL_ERROR: RPC_ERROR.internal,
};

const ADVICE: OwnAdvice = {
  BODY_TOO_LARGE: 'A message has at most 65,536 bytes; a tool needs an id or a page, no more.',
  METHOD_NOT_ALLOWED: 'Send one JSON-RPC message by POST, as tools/list.',
  RATE_LIMITED: `Then go on where you were; one tools/call with a larger limit, at most ${MAX_ROWS}, replaces several.`,
  REQUEST_INVALID: 'Send one JSON-RPC message by POST, as tools/list.',
  ROUTE_NOT_FOUND: 'Send messages to /mcp itself; tools/list names the tools.',
};

export const mcpErrors: ErrorFormat = {
  prefix: MCP_PATH,
  send: (reply, code, refusal) => {
    const { status } = ERROR_TABLE[code];
    const message = refusalText(code, refusal, ADVICE);
    if (code === 'METHOD_NOT_ALLOWED') reply.header('allow', 'POST');
    return sendRpcError(reply, status, {
      code: CODES[code] ?? RPC_ERROR.transport,
      message,
      data: { code, requestId: reply.request.id },
    });
  },
};

export function sendRpcError(
  reply: FastifyReply,
  status: number,
  error: { code: number; message: string; data?: object },
  id: string | number | null = null,
): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ jsonrpc: '2.0', id, error }));
}
