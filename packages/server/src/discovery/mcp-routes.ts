import { byChain } from '../http/cache-policy.ts';
import type { Routes } from '../http/context.ts';
import { problems } from '../http/schemas.ts';
import { limitAddresses } from './limit.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';
import { MCP_PATH } from './mcp-errors.ts';
import { mcpPointer } from './mcp-pointer.ts';
import { JsonRpcMessage, McpPointer, rpcResponses } from './mcp-schemas.ts';

export const mcpRoutes: Routes = (app, context) => {
  const load = context.later.add(() => import('./mcp-endpoint.ts'));
  let made: McpEndpoint | null = null;
  const endpoint = async (): Promise<McpEndpoint> => {
    const { mcpEndpoint } = await load();
    return (made ??= mcpEndpoint(context));
  };

  app.get(
    '/.well-known/mcp.json',
    {
      schema: {
        operationId: 'getMcpPointer',
        tags: ['discovery'],
        summary: 'The address of the MCP endpoint, and its protocol versions',
        response: { 200: McpPointer, ...problems() },
      },
    },
    (_request, reply) => context.send(reply, () => mcpPointer(context), byChain),
  );

  void app.register(async (scope) => {
    await limitAddresses(scope, context);
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
        onRequest: async (request) => (await endpoint()).checkAccess(request),
      },
      async (request, reply) => (await endpoint()).answer(request, reply),
    );
  });
};
