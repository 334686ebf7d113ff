/** /mcp, and where to find it. */
import rateLimit from '@fastify/rate-limit';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { byChain } from '../http/cache-policy.ts';
import type { HttpContext, Routes } from '../http/context.ts';
import { problems } from '../http/schemas.ts';
import { bodyBytes } from '../http/submit.ts';
import type { Static } from 'typebox';
import { ApiError } from '../chain/api-error.ts';
import { checkAccess } from './access.ts';
import { limitOf } from './limit.ts';
import { MCP_CAPABILITIES, MCP_SERVER_INFO, mcpService, validateParameters } from './mcp.ts';
import { MCP_PATH, RPC_ERROR, sendRpcError } from './mcp-errors.ts';
import { JsonRpcMessage, McpPointer, rpcResponses } from './mcp-schemas.ts';

const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25'];

export const mcpRoutes: Routes = (app, context) => {
  const serve = mcpService(context);

  app.get(
    '/.well-known/mcp.json',
    {
      schema: {
        operationId: 'getMcpPointer',
        tags: ['discovery'],
        summary: 'Where the MCP endpoint is and what it speaks',
        response: { 200: McpPointer, ...problems() },
      },
    },
    (_request, reply) => context.send(reply, () => mcpPointer(context), byChain),
  );

  void app.register(async (scope) => {
    await scope.register(rateLimit, limitOf(context.options));
    scope.post(
      MCP_PATH,
      {
        schema: {
          operationId: 'callMcp',
          tags: ['discovery'],
          summary: 'One MCP message: JSON-RPC 2.0 over HTTP, read-only tools, no session',
          body: JsonRpcMessage,
          response: rpcResponses(),
        },
        // Before anybody reads the body.
        onRequest: (request, _reply, done) => {
          checkAccess(request, context.options);
          done();
        },
      },
      async (request, reply) => {
        if (request.headers['content-type'] === undefined) {
          throw new ApiError('CONTENT_TYPE_UNSUPPORTED');
        }
        const message = readMessage(request, reply);
        if (message === null) return reply;
        if ('method' in message && 'id' in message) {
          const fault = validateParameters(message);
          if (fault !== null) {
            return sendRpcError(reply, 200, RPC_ERROR.invalidParams, fault, { id: message.id });
          }
        }
        const response = await serve(message, headersOf(request), request);
        const type = response.headers.get('content-type');
        if (type !== null) reply.type(type);
        const body = await response.text();
        reply.code(response.status).header('cache-control', 'no-store');
        return body === '' ? reply.send() : reply.send(body);
      },
    );
  });
};

/** One JSON-RPC message, or null where the request is answered already: what arrived is none. */
function readMessage(request: FastifyRequest, reply: FastifyReply): JSONRPCMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bodyBytes(request)));
  } catch {
    sendRpcError(reply, 400, RPC_ERROR.parse, 'Parse error: the body is not JSON in UTF-8.');
    return null;
  }
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value)) {
    return value;
  }
  const { id } = (value ?? {}) as { id?: unknown };
  const what = Array.isArray(value)
    ? 'Invalid request: batches are not served, send one message.'
    : 'Invalid request: the body is no JSON-RPC 2.0 request, notification or response.';
  sendRpcError(reply, 400, RPC_ERROR.invalidRequest, what, {
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
  });
  return null;
}

const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** What the protocol looks at. Whatever a client accepts, it is answered in JSON: of that it is told only the minimum. */
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

function mcpPointer({ options }: HttpContext): Static<typeof McpPointer> {
  return {
    serverInfo: MCP_SERVER_INFO,
    protocolVersions: PROTOCOL_VERSIONS,
    transport: { type: 'streamable-http', url: `${options.publicUrl}${MCP_PATH}` },
    capabilities: MCP_CAPABILITIES,
    authentication: { required: false },
  };
}
