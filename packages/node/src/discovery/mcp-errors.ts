/** Errors under /mcp: JSON-RPC, whoever finds them. */
import type { ErrorCode } from '@netd/protocol';
import type { FastifyReply } from 'fastify';
import type { ErrorDialect } from '../http/error-dialect.ts';
import { makeProblem } from '../http/problem.ts';

export const MCP_PATH = '/mcp';

/** JSON-RPC 2.0 section 5.1; what the transport refuses has the server's own code. */
export const RPC_ERROR = {
  parse: -32_700,
  invalidRequest: -32_600,
  invalidParams: -32_602,
  internal: -32_603,
  transport: -32_000,
} as const;

const CODES: Partial<Record<ErrorCode, number>> = {
  REQUEST_INVALID: RPC_ERROR.invalidRequest,
  INTERNAL_ERROR: RPC_ERROR.internal,
};

/** The refusals of a node as JSON-RPC errors; `data` holds the stable code. */
export const mcpErrors: ErrorDialect = {
  prefix: MCP_PATH,
  send: (reply, code, refusal) => {
    const { status, title, detail, requestId } = makeProblem(code, reply.request.id, refusal);
    if (code === 'METHOD_NOT_ALLOWED') reply.header('allow', 'POST');
    return sendRpcError(reply, status, CODES[code] ?? RPC_ERROR.transport, `${title}. ${detail}`, {
      data: { code, requestId },
    });
  },
};

/** @param about.id of the request where it could be read */
export function sendRpcError(
  reply: FastifyReply,
  status: number,
  code: number,
  message: string,
  about: { id?: string | number | null; data?: object } = {},
): FastifyReply {
  const { id = null, data } = about;
  const error = { code, message, ...(data ? { data } : {}) };
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ jsonrpc: '2.0', id, error }));
}
