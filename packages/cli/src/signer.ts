/** The program in a bundle for MCP clients (.mcpb): `netd mcp` and nothing else. scripts/artefacts makes the bundle of it. */
import { NET_MCP } from './signer-table.ts';
import { start } from './start.ts';

// What its user has left empty: clients hand on the empty text, some the name of the field, or a default as it is written.
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
