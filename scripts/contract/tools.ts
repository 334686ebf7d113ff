/** contract/tools.json: MCP tools of the node (`/mcp`) and of the signer (`netd mcp`). */
import {
  DESCRIBED_SIGNER_TOOLS,
  promptsFor,
  resourcesFor,
  resourceTemplatesFor,
} from '@netd/mcp-signer';
import { DESCRIBED_TOOLS, DOCUMENT_ROUTES } from '@netd/server/tools';

export function tools(): unknown {
  return {
    schema: 'NET-TOOL-CONTRACT/1',
    // Without keys and writes; `document` is the read that the tool shortens.
    node: DESCRIBED_TOOLS.map(({ name, title, description, inputSchema, outputSchema }) => ({
      name,
      title,
      description,
      document: DOCUMENT_ROUTES[name] ?? null,
      inputSchema,
      outputSchema,
    })),
    // With a session key; listed if the session has all of `needs`.
    signer: DESCRIBED_SIGNER_TOOLS,
    signerResources: [...resourcesFor(null), ...resourceTemplatesFor(null)],
    signerPrompts: promptsFor(null),
  };
}
