/** The program in a bundle for MCP clients (.mcpb), with only `netd mcp`. scripts/artefacts bundles it. */
import { NET_MCP } from './signer-table.ts';
import { start } from './start.ts';

// For an empty field, clients pass an empty text, the field's name, or the default.
for (const name of [
  'NET_SESSION',
  'NET_AGENT',
  'NET_URL',
  'NET_MCP_BUDGET',
  'NET_ASK_ABOVE',
  'NET_MCP_POLICY',
  'NET_HOME',
]) {
  const value = process.env[name] ?? '';
  if (value === '' || value.startsWith('${')) delete process.env[name];
}

await start(NET_MCP);
