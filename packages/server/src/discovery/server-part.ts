import type { ServerPart } from '../http/context.ts';
import { a2aErrors, a2aRpcErrors } from './a2a-errors.ts';
import { a2aRoutes } from './a2a-routes.ts';
import { agentCardRoutes } from './agent-card.ts';
import { llmsTextRoutes } from './llms-text-route.ts';
import { mcpErrors } from './mcp-errors.ts';
import { mcpRoutes } from './mcp-routes.ts';
import { wellKnownRoutes } from './well-known.ts';

export const discovery: ServerPart = {
  routes: [llmsTextRoutes, mcpRoutes, a2aRoutes, agentCardRoutes, wellKnownRoutes],
  errorFormats: [mcpErrors, a2aRpcErrors, a2aErrors],
};
