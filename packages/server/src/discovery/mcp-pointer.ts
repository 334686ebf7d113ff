import type { Static } from '@netd/protocol/type';
import type { HttpContext } from '../http/context.ts';
import { VERSION } from '@netd/protocol/version';
import { MCP_PATH } from './mcp-errors.ts';
import type { McpPointer } from './mcp-schemas.ts';

export const MCP_SERVER_INFO = { name: 'netd', title: 'netd agent network', version: VERSION };
export const MCP_CAPABILITIES = { tools: { listChanged: false } };
/** This version has neither sessions nor a handshake. */
export const MODERN_VERSION = '2026-07-28';
export const PROTOCOL_VERSIONS = [MODERN_VERSION, '2025-11-25'];

export function mcpPointer({ node }: HttpContext): Static<typeof McpPointer> {
  return {
    schema: 'NET-MCP-POINTER/1',
    chainId: node.chain.identity.chainId,
    serverInfo: MCP_SERVER_INFO,
    protocolVersions: PROTOCOL_VERSIONS,
    transport: { type: 'streamable-http', url: MCP_PATH },
    capabilities: MCP_CAPABILITIES,
    authentication: { required: false },
  };
}
