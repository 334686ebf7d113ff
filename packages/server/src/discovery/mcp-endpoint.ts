/** Answers MCP requests. Loaded with the SDK by the first request, because few nodes get one. */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@netd/engine';
import type { HttpContext } from '../http/context.ts';
import { bodyBytes } from '../http/submit.ts';
import { checkAccess } from './access.ts';
import { mcpService, validateParameters } from './mcp.ts';
import { RPC_ERROR, sendRpcError } from './mcp-errors.ts';
import { MODERN_VERSION } from './mcp-pointer.ts';

export interface McpEndpoint {
  /**
   * Called before the body is read.
   * @throws ApiError HOST_NOT_ALLOWED, ORIGIN_NOT_ALLOWED
   */
  checkAccess(request: FastifyRequest): void;
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

export function mcpEndpoint(context: HttpContext): McpEndpoint {
  const serve = mcpService(context);
  const { metrics } = context.node;
  return {
    checkAccess: (request) => checkAccess(request, context.options),
    answer: async (request, reply) => {
      if (request.headers['content-type'] === undefined) {
        throw new ApiError('CONTENT_TYPE_UNSUPPORTED');
      }
      const message = readMessage(request);
      if ('refusal' in message) {
        const { code, what, id } = message.refusal;
        metrics.countRefusal(`RPC_${code}`);
        return sendRpcError(reply, 400, { code, message: what }, id);
      }
      if ('method' in message && 'id' in message) {
        if (message.method === 'initialize' && isModern(request)) {
          metrics.countRefusal(`RPC_${RPC_ERROR.methodNotFound}`);
          const what = 'Method not found: this version has no handshake, send tools/list.';
          const error = { code: RPC_ERROR.methodNotFound, message: what };
          return sendRpcError(reply, 404, error, message.id);
        }
        const fault = validateParameters(message);
        if (fault !== null) {
          metrics.countRefusal(`RPC_${RPC_ERROR.invalidParams}`);
          const error = { code: RPC_ERROR.invalidParams, message: fault };
          return sendRpcError(reply, 200, error, message.id);
        }
      }
      const response = await serve(message, headersOf(request), request);
      const type = response.headers.get('content-type');
      if (type !== null) reply.type(type);
      const body = await response.text();
      const error = RPC_ERROR_HEAD.exec(body);
      if (error) metrics.countRefusal(`RPC_${error[1]}`);
      reply.code(response.status).header('cache-control', 'no-store');
      return body === '' ? reply.send() : reply.send(body);
    },
  };
}

/** Returns true for the version without handshake, which the package would reject. */
function isModern({ headers }: FastifyRequest): boolean {
  return headers['mcp-protocol-version'] === MODERN_VERSION;
}

const RPC_ERROR_HEAD = /^\{"jsonrpc":"2\.0",(?:"id":[^{}]*,)?"error":\{"code":(-\d+)/;

interface NoMessage {
  refusal: { code: number; what: string; id: string | number | null };
}

function readMessage(request: FastifyRequest): JSONRPCMessage | NoMessage {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bodyBytes(request)));
  } catch {
    const what = 'Parse error: the body is not JSON in UTF-8.';
    return { refusal: { code: RPC_ERROR.parse, what, id: null } };
  }
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value)) {
    return value;
  }
  const { id } = (value ?? {}) as { id?: unknown };
  const what = Array.isArray(value)
    ? 'Invalid request: batches are not served, send one message.'
    : 'Invalid request: the body is no JSON-RPC 2.0 request, notification or response.';
  // A larger number was rounded, so it would name another request.
  const known = typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null;
  return { refusal: { code: RPC_ERROR.invalidRequest, what, id: known } };
}

const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Returns the headers that the protocol reads. `accept` is fixed, because answers are always JSON. */
function headersOf({ headers }: FastifyRequest): Headers {
  const known = PROTOCOL_HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  return new Headers([
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
    ...known,
  ]);
}
