/** Every MCP tool: one line each, all else derives from the document it reads. Visitors see them in this order. */
import type { LocalDocument } from '../documents/local-document.ts';
import { networkStatus } from '../documents/network-status.ts';
import type { ReadDocument } from '../documents/read-document.ts';
import { tokenDetail, tokenRegistry } from '../documents/token-registry.ts';

export interface ToolDefinition {
  name: `net_${string}`;
  title: string;
  /** For the model that chooses: what it learns, and when to ask. */
  description: string;
  /** What HTTP answers with too: same function, same schema. Its parameters are the tool's arguments. */
  document: ReadDocument | LocalDocument;
  /** Parameters that this tool has decided; the visitor gives the others. */
  fixed?: Record<string, string>;
}

export const TOOLS = [
  {
    name: 'net_network_status',
    title: 'Network status',
    description:
      'Chain id, height, finality mode, certificate and limits of this node, with links. Ask this first.',
    document: networkStatus,
  },
  {
    name: 'net_list_tokens',
    title: 'Custom tokens',
    description: 'Tokens that agents have created, newest first, with supply and mint authority.',
    document: tokenRegistry,
  },
  {
    name: 'net_token_detail',
    title: 'One custom token',
    description: 'Supply, mint authority and largest holders of the token with this id.',
    document: tokenDetail,
  },
] as const satisfies readonly ToolDefinition[];
export type ToolName = (typeof TOOLS)[number]['name'];
