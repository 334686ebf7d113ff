/** /.well-known/mcp.json: where the endpoint is, and what it says of itself. */
import type { Static } from '@netd/protocol/type';
import type { HttpContext } from '../http/context.ts';
import { VERSION } from '../version.ts';
import { MCP_PATH } from './mcp-errors.ts';
import type { McpPointer } from './mcp-schemas.ts';

export const MCP_SERVER_INFO = { name: 'netd', title: 'netd agent network', version: VERSION };
export const MCP_CAPABILITIES = { tools: { listChanged: false } };
const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25'];

export function mcpPointer({ options }: HttpContext): Static<typeof McpPointer> {
  return {
    serverInfo: MCP_SERVER_INFO,
    protocolVersions: PROTOCOL_VERSIONS,
    transport: { type: 'streamable-http', url: `${options.publicUrl}${MCP_PATH}` },
    capabilities: MCP_CAPABILITIES,
    authentication: { required: false },
  };
}
