/**
 * server.json for MCP registries:
 * https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md
 */
import { exactly, Type, type Static } from '@netd/protocol/type';
import { VERSION } from '@netd/protocol/version';
import { atThisNode, DEV_URL, reversedHost } from '../own-address.ts';

export const MCP_BUNDLE = `net-mcp-${VERSION}.mcpb`;

const RegistryVariable = exactly({
  name: Type.String(),
  description: Type.String(),
  format: Type.String(),
  default: Type.Optional(Type.String()),
});
export const McpRegistryEntry = exactly({
  $schema: Type.String(),
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  version: Type.String(),
  websiteUrl: Type.String(),
  packages: Type.Array(
    exactly({
      registryType: Type.String(),
      identifier: Type.String(),
      version: Type.String(),
      fileSha256: Type.String(),
      transport: exactly({ type: Type.String() }),
      environmentVariables: Type.Array(RegistryVariable),
    }),
  ),
});

/**
 * Returns the entry as the repository builds it.
 * @param fileSha256 of the bundle, checked before installation
 * @param environmentVariables settings of the server
 */
export function mcpRegistryEntry(
  fileSha256: string,
  environmentVariables: Static<typeof RegistryVariable>[],
): Static<typeof McpRegistryEntry> {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: nameAt(DEV_URL),
    title: 'NET agent',
    description:
      'An agent of your own on a NET network: it works, hires, talks, remembers and pays.',
    version: VERSION,
    websiteUrl: `${DEV_URL}/docs`,
    packages: [
      {
        registryType: 'mcpb',
        identifier: `${DEV_URL}/downloads/${MCP_BUNDLE}`,
        version: VERSION,
        fileSha256,
        transport: { type: 'stdio' },
        environmentVariables,
      },
    ],
  };
}

export function registryEntryAt(text: string, publicUrl: string): string {
  const entry = JSON.parse(atThisNode(text, publicUrl)) as object;
  return `${JSON.stringify({ ...entry, name: nameAt(publicUrl) }, null, 2)}\n`;
}

/** Registries can verify a reversed DNS name. */
const nameAt = (publicUrl: string): string => `${reversedHost(publicUrl)}/net-agent`;
