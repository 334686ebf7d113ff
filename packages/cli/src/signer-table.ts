/** Commands that serve an agent to a model. netd and the bundle for MCP clients (.mcpb) share them. */
import type { CommandTable, Program } from './command-entry.ts';

export const SIGNER_COMMANDS = {
  serve: {
    description: 'serve an agent to a model by MCP over stdio, under a session with a budget',
    usage: '(--session <file> | --as <agent>) [options]',
    examples: ['mcp serve --session ada.session-1.json --print-config', 'mcp serve --as ada'],
    isDefault: true,
    load: () => import('./commands/mcp/serve.ts'),
  },
} as const satisfies CommandTable;

export const NET_MCP: Program = {
  name: 'net-mcp',
  description: 'Lets a model act as an agent by MCP, under a session with a budget.',
  commands: SIGNER_COMMANDS,
};
